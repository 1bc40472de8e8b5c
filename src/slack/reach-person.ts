import type { Message } from '../block-kit/message.ts';
import type { Place } from './command.ts';
import type { MessageParts } from './parts.ts';
import { tellDirectly } from './tell-directly.ts';
import { tellPerson } from './tell-person.ts';

/** Tells somebody privately what they wait for, by every way there is: told twice does less harm than not at all. */
export async function reachPerson(
  account: string,
  place: Place,
  message: Message,
  parts: MessageParts,
): Promise<void> {
  if ((await tellPerson(account, place, message, parts)) === 'unknown') {
    await tellDirectly(account, message, parts);
  }
}
