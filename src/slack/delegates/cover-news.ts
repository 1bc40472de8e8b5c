import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { Delegation } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { sendDirectMessage, type Told } from '../app/direct-message.ts';
import { categoriesText, type Words } from '../app/message-texts.ts';
import type { PeopleParts, ViewParts } from '../app/parts.ts';
import { accountsOf } from '../people/recognize.ts';
import { notesLine, peopleText, spanText } from './cover-words.ts';

/** What both sides are to hear; `accounts` are those known from the form, by user id. */
interface DelegationNotice {
  readonly delegation: Delegation;
  readonly event: DelegationEvent;
  /** User id of who did it. */
  readonly by: string;
  readonly accounts: ReadonlyMap<string, string>;
  readonly users: ReadonlyMap<string, User>;
  /** Escaped. */
  readonly words: Words;
}

/** What telling both sides draws on. */
export type NotifyingParts = PeopleParts & ViewParts;

/** Slack bears about one message a second, and short bursts. */
const MOST_AT_ONCE = 3;

/** Whether somebody was told; `nowhere` where they have no account, `because` where it could not be found out. */
type Outcome = Told | 'nowhere' | { readonly because: string };

/**
 * Tells the delegator and every delegate, each once and directly. Resolves to sentences about who was not reached, as
 * far as is known; never fails.
 */
export async function notifyBothSides(
  { delegation, event, by, accounts, users, words }: DelegationNotice,
  parts: NotifyingParts,
): Promise<string> {
  const everybody = [...new Set([delegation.delegator, ...delegation.delegates])];
  const outcomes = await pLimit(MOST_AT_ONCE).map(everybody, (id) => {
    const news = delegationNews({ delegation, event, by }, id, words);
    return answerPerson({ user: users.get(id), first: accounts.get(id) }, news, parts);
  });
  const those = (holds: (outcome: Outcome) => boolean) =>
    everybody.filter((_, i) => holds(outcomes[i] ?? 'nowhere')).map((id) => words.person(id));
  const nowhere = those((outcome) => outcome === 'nowhere');
  const refused = those((outcome) => outcome === 'refused');
  const unknown = those((outcome) => outcome === 'unknown');
  const reasons = new Set(
    outcomes.flatMap((outcome) => (typeof outcome === 'object' ? outcome.because : [])),
  );
  const failed = [
    ...(nowhere.length > 0 ? [`I know no Slack account of ${nowhere.join(', ')}.`] : []),
    ...[...reasons].map((because) => {
      const people = those((outcome) => typeof outcome === 'object' && outcome.because === because);
      return `I could not look up the Slack account of ${people.join(', ')}: ${escapeMrkdwn(because)}`;
    }),
    ...(refused.length > 0 ? [`Slack did not take my message to ${refused.join(', ')}.`] : []),
    ...(unknown.length > 0 ? [`I do not know whether my message reached ${unknown.join(', ')}.`] : []),
  ];
  return failed.length === 0 ? 'Both sides are told.' : `${failed.join(' ')} Please tell them yourself.`;
}

/** Goes on to another account of theirs only where the one before certainly was not told. */
async function answerPerson(
  { user, first }: { readonly user: User | undefined; readonly first: string | undefined },
  news: Message,
  parts: NotifyingParts,
): Promise<Outcome> {
  const tried = new Set<string>();
  try {
    for await (const account of everyAccount(first, user, parts)) {
      if (tried.has(account)) continue;
      tried.add(account);
      const told = await sendDirectMessage(account, news, parts);
      if (told !== 'refused') return told;
    }
  } catch (error) {
    if (error instanceof AppError) return { because: error.message };
    const reference = randomUUID();
    parts.log.error({ err: error, reference }, 'telling somebody of a delegation failed');
    return { because: `Something went wrong on our side; the log has it under ${reference}.` };
  }
  return tried.size > 0 ? 'refused' : 'nowhere';
}

async function* everyAccount(
  first: string | undefined,
  user: User | undefined,
  parts: NotifyingParts,
): AsyncGenerator<string> {
  if (first !== undefined) yield first;
  if (user !== undefined) yield* accountsOf(user, parts);
}

/** What happened to a delegation: it was set, it ended before its time, or it will never begin. */
type DelegationEvent = 'set' | 'ended' | 'called off';

/** What one of the people of a delegation reads about it; `by` is who did it. Expects escaped words. */
export function delegationNews(
  {
    delegation,
    event,
    by,
  }: { readonly delegation: Delegation; readonly event: DelegationEvent; readonly by: string },
  reader: string,
  words: Words,
): Message {
  const { delegator, delegates, categoryIds, start, end, notes } = delegation;
  const owner = delegator === reader ? 'you' : `*${words.person(delegator)}*`;
  const others = delegates.filter((id) => id !== reader);
  const mine = delegator !== reader;
  const along = mine && others.length > 0 ? ` with ${peopleText(others, words)}` : '';
  const subject = mine ? 'You' : peopleText(delegates, words);
  const several = mine || delegates.length > 1;
  const what = categoriesText(categoryIds, words);
  const who = by === reader ? 'by you' : `by *${words.person(by)}*`;
  switch (event) {
    case 'set':
      return lineBlocks([
        `${subject} ${several ? 'stand' : 'stands'} in for ${owner}${along}: ${what}, ${spanText({ from: start, until: end }, words)}. Set ${who}.`,
        ...[notesLine(notes)].filter((line) => line !== ''),
      ]);
    case 'ended':
      return lineBlocks([
        `${subject} ${several ? 'do' : 'does'} not stand in for ${owner} any more${along}: ${what}, ended ${words.time(end)} ${who}.`,
      ]);
    case 'called off':
      return lineBlocks([
        `${subject} will not stand in for ${owner}${along}: ${what}, ${spanText({ from: start, until: end }, words)}, called off ${who}.`,
      ]);
  }
}
