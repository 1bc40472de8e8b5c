import type { Message } from '../../block-kit/message.ts';
import type { DoorParts, Place } from '../command.ts';
import { isDirect } from '../hours-here.ts';
import { tellDirectly } from '../tell-directly.ts';
import { type ToldWhere, tellPerson } from '../tell-person.ts';

/** Where an answer stands: where the worst told of its messages does. What reached nobody is handed back. */
export interface ToldHere {
  readonly where: ToldWhere;
  readonly untold: readonly Message[];
}

/** From where everything is well. */
const worse: readonly ToldWhere[] = ['here', 'directly', 'unknown', 'nowhere'];

/** Tells somebody an answer where they asked for it, in order, so that nobody else reads it. */
export async function tellHere(
  messages: readonly Message[],
  { account, place }: { readonly account: string; readonly place: Place },
  parts: DoorParts,
): Promise<ToldHere> {
  let where: ToldWhere = 'here';
  const untold: Message[] = [];
  for (const message of messages) {
    const told = await tellOne(message, account, place, parts);
    if (told === 'nowhere') untold.push(message);
    if (worse.indexOf(told) > worse.indexOf(where)) where = told;
  }
  return { where, untold };
}

async function tellOne(
  message: Message,
  account: string,
  place: Place,
  parts: DoorParts,
): Promise<ToldWhere> {
  if (!isDirect(place.channel)) return tellPerson(account, place, message, parts);
  const told = await tellDirectly(account, message, parts);
  if (told === 'told') return 'here';
  return told === 'unknown' ? 'unknown' : 'nowhere';
}
