import type { DoorParts, Place } from '../command.ts';
import { isDirect } from '../hours-here.ts';
import type { Message } from '../message.ts';
import { tellDirectly } from '../tell-directly.ts';
import { tellPerson } from '../tell-person.ts';

/** Tells somebody an answer where they asked for it, in order, so that nobody else reads it. */
export async function tellHere(
  messages: readonly Message[],
  { account, place }: { readonly account: string; readonly place: Place },
  parts: DoorParts,
): Promise<void> {
  for (const message of messages) {
    if (isDirect(place.channel)) await tellDirectly(account, message, parts);
    else await tellPerson(account, place, message, parts);
  }
}
