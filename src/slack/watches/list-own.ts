import type { Message } from '../../block-kit/message.ts';
import { principalIn } from '../../model/principal.ts';
import type { SlackParts } from '../parts.ts';
import { exampleRule } from './example-rule.ts';
import { watchListMessage } from './list-message.ts';

/** An account's own watches as a message, from one of them (0 is the first) on. */
export async function listOwnWatches(
  account: string,
  parts: Pick<SlackParts, 'watches' | 'reporting' | 'people' | 'accounts' | 'log'>,
  start = 0,
): Promise<Message> {
  const { watches } = parts;
  const principal = principalIn(parts.people.tenant, account);
  const own = await watches.list(principal);
  const listed = await Promise.all(
    own.map(async (watch) => ({ watch, last: await watches.lastNotified(principal, watch.id) })),
  );
  return watchListMessage(listed, await exampleRule(account, parts), start);
}
