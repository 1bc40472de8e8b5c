import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { listText } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { Delegation } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import { namesOf, notice, wordsAnywhere } from '../app/message-texts.ts';
import type { PeopleParts, ViewParts } from '../app/parts.ts';
import { sendDirectMessage } from '../app/post-message.ts';
import { accountsOf } from '../people/accounts.ts';
import {
  boldText,
  type CoverWords,
  coverClause,
  coverWords,
  datesText,
  everyoneText,
  notesText,
  peopleOf,
  type ReaderFacts,
  workText,
} from './cover-words.ts';

/** What happened to a cover, by the person with this user id; one that is canceled will never begin. */
interface CoverNotice {
  readonly delegation: Delegation;
  readonly event: 'set' | 'ended' | 'canceled';
  readonly by: string;
  readonly facts: ReaderFacts;
}

/** What notifying both sides needs. */
export type NotifyingParts = PeopleParts & ViewParts;

/** Slack takes about one message a second, and short bursts. */
const MOST_AT_ONCE = 3;

/** Notifies everyone in a cover, each once and directly. Never fails: says who was not reached. */
export async function notifyBothSides(news: CoverNotice, parts: NotifyingParts): Promise<string> {
  const { delegation, facts } = news;
  const names = wordsAnywhere(namesOf(facts.users, []));
  const people = [...new Set(peopleOf(delegation))];
  const problems = await pLimit(MOST_AT_ONCE).map(people, (id) => notifyOne(id, news, parts));
  const failed = [...Map.groupBy(people, (_, i) => problems[i] ?? null)].flatMap(([problem, ids]) =>
    problem === null ? [] : [problem.replace('NAMES', () => listText(ids.map(names.person)))],
  );
  const everyone = everyoneText(delegation);
  if (failed.length === 0) return `${everyone} ${everyone === 'Both' ? 'were' : 'was'} notified.`;
  return `${failed.join(' ')} Please let them know yourself.`;
}

/** Tries another account only where the one before certainly got no message. What went wrong, with `NAMES` in it, or null. */
async function notifyOne(id: string, news: CoverNotice, parts: NotifyingParts): Promise<string | null> {
  const { facts } = news;
  const message = coverNews(news, coverWords({ ...facts, reader: id }));
  const tried = new Set<string>();
  try {
    for await (const account of everyAccount(id, facts, parts)) {
      if (tried.has(account)) continue;
      tried.add(account);
      const outcome = await sendDirectMessage(account, message, parts);
      if (outcome === 'unknown') return "I'm not sure my message reached NAMES.";
      if (outcome !== 'refused') return null;
    }
  } catch (error) {
    // They are not notified again, so when to try again is left out.
    if (error instanceof AppError) return `I couldn't notify NAMES: ${escapeMrkdwn(error.message)}`;
    const reference = randomUUID();
    parts.log.error({ err: error, reference }, 'notifying a person of a cover failed');
    return `I couldn't notify NAMES: something went wrong on our side (log: ${reference}).`;
  }
  return tried.size > 0
    ? "Slack didn't deliver my message to NAMES."
    : "I can't find the Slack account of NAMES.";
}

async function* everyAccount(id: string, { accounts, users }: ReaderFacts, parts: PeopleParts) {
  const [known, user] = [accounts.get(id), users.get(id)];
  if (known !== undefined) yield known;
  if (user !== undefined) yield* accountsOf(user, parts);
}

/** What one of the people of a cover reads about it. Expects the words of that reader. */
export function coverNews({ delegation, event, by }: Omit<CoverNotice, 'facts'>, words: CoverWords): Message {
  const { categoryIds, end, notes } = delegation;
  const clause = (verbs?: readonly [string, string]) => `*${coverClause(delegation, words, verbs)}*${work}`;
  const who = `by ${boldText(by, words)}.`;
  const work = workText(categoryIds, words);
  const period = datesText(delegation, words);
  if (event === 'set') return notice(`${clause()} ${period}${notesText(notes)}\nSet ${who}`);
  if (event === 'canceled')
    return notice(`${clause(['will not cover', 'will not cover'])} ${period}. Canceled ${who}`);
  return notice(`${clause(['no longer covers', 'no longer cover'])}. Ended ${words.time(end)} ${who}`);
}
