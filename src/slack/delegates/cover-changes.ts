import type { SectionBlock } from '@slack/types';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import pLimit from 'p-limit';
import { concerns, isOut, listActive, overlaps } from '../../api/delegations/delegation-api.ts';
import { createOnce, endOnce } from '../../api/delegations/save-once.ts';
import { failureReference } from '../../concurrency/request-scope.ts';
import { type Delegation, type DelegationInput, MAX_COVERAGE_DAYS } from '../../model/delegation.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Principal } from '../../model/request.ts';
import { shorten } from '../../output/readable-text.ts';
import { plainText } from '../app/form-inputs.ts';
import type { SlackAction, SlashCommand } from '../app/handler-types.ts';
import { notice, shortenedNames, someLines, wordsAnywhere } from '../app/message-texts.ts';
import type { DelegationParts, PeopleParts, SlackParts, ViewParts } from '../app/parts.ts';
import { sendDirectMessage } from '../app/post-message.ts';
import { capitalized } from '../app/show-failure.ts';
import { listText, type Message } from '../blocks/message.ts';
import { button, codeText, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { accountsOf, type Member } from '../people/accounts.ts';
import { identify } from '../people/identify.ts';
import {
  admit,
  awayTooText,
  boldText,
  type CoverWords,
  coverClause,
  coverNoun,
  coverText,
  coverWords,
  datesText,
  everyoneText,
  notesText,
  peopleOf,
  plainCoverWords,
  type ReaderFacts,
  readerFacts,
  suggest,
  uncoveredText,
  workText,
} from './cover-words.ts';
import { nameToType, readParties } from './read-cover.ts';

/** A change of a cover, by the person with this user id; a cover that is canceled will never begin. */
interface CoverNotice {
  readonly delegation: Delegation;
  readonly event: 'set' | 'ended' | 'canceled';
  readonly by: string;
  readonly facts: ReaderFacts;
}

/** Slack takes about one message a second, and short bursts. */
const MAX_AT_ONCE = 3;

/** Notifies everyone in a cover, each once and directly. Never fails: says who was not reached. */
export async function notifyBothSides(news: CoverNotice, parts: PeopleParts & ViewParts): Promise<string> {
  const { delegation, facts } = news;
  const names = wordsAnywhere(shortenedNames(facts.users, []));
  const people = [...new Set(peopleOf(delegation))];
  const problems = await pLimit(MAX_AT_ONCE).map(people, (id) => notifyOne(id, news, parts));
  const failed = [...Map.groupBy(people, (_, i) => problems[i] ?? null)].flatMap(([problem, ids]) =>
    problem === null ? [] : [problem.replace('NAMES', () => listText(ids.map(names.person)))],
  );
  const everyone = everyoneText(delegation);
  if (failed.length === 0) return `${everyone} ${everyone === 'Both' ? 'were' : 'was'} notified.`;
  return `${failed.join(' ')} Please let them know yourself.`;
}

/** Tries another account only where the one before certainly got no message. What went wrong, with `NAMES` in it, or null. */
async function notifyOne(
  id: string,
  news: CoverNotice,
  parts: PeopleParts & ViewParts,
): Promise<string | null> {
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
    const reference = failureReference();
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

/** The message about a cover for one of its people. Expects the words of that reader. */
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

/**
 * Sets a cover, and says so (escaped); `more` warns of what else is known of that time, and says whether both sides were
 * notified. What is wrong is an AppError, and then nothing is set, unless it is an unknown outcome.
 */
export async function setCover(
  { principal, user }: Member,
  input: Omit<DelegationInput, 'active'>,
  facts: ReaderFacts,
  parts: DelegationParts,
): Promise<{ readonly text: string; readonly more: Promise<readonly string[]> }> {
  const words = coverWords(facts);
  if (input.end <= parts.now()) throw badRequest('These dates are over already. Choose a later end.');
  const draft = { ...input, active: true };
  const list = input.delegator === user.id ? '`/delegates`' : `\`/delegates end for ${input.delegator}\``;
  const advice = `Check ${list} in a minute: if it is there, let both sides know yourself; if not, set it again.`;
  const { delegation, isNew } = await createOnce(principal, draft, parts.delegations, advice);
  const text = `${isNew ? 'Set' : 'Already set'}: ${coverText(delegation, words)}`;
  if (!isNew) return { text, more: Promise.resolve([]) };
  const warnings = warnOf(delegation, { principal, words }, parts);
  const notified = notifyBothSides({ delegation, event: 'set', by: user.id, facts }, parts);
  return { text, more: Promise.all([warnings, notified]).then((lines) => lines.flat()) };
}

/**
 * When no one is left, which delegates are out too, and who else covers for the same work, from now on; of a longer cover
 * about its first part only. Never fails, for what was set remains set.
 */
export async function warnOf(
  one: Delegation,
  { principal, words }: { readonly principal: Principal; readonly words: CoverWords },
  { delegations, now, log }: Pick<SlackParts, 'delegations' | 'now' | 'log'>,
): Promise<readonly string[]> {
  const minute = Math.floor(now() / millisecondsInMinute) * millisecondsInMinute;
  const from = Math.max(one.start, minute);
  const until = Math.min(one.end, from + MAX_COVERAGE_DAYS * millisecondsInDay);
  try {
    const coverage = await delegations.coverage(principal, { from, until });
    const { span } = coverage;
    const long = 'all that time';
    const uncovered = coverage.uncovered.filter((gap) => gap.reason !== 'gap' && concerns(one, gap));
    const awayToo = coverage.awayToo.filter((away) => isOut(one, away));
    const others = coverage.delegations.filter(
      ({ id, delegator, categoryIds }) =>
        id !== one.id && delegator === one.delegator && overlaps(categoryIds, one.categoryIds),
    );
    return [
      ...someLines(uncovered, (gap) => `:warning: ${uncoveredText(gap, words, span, long)}`),
      ...someLines(awayToo, (away) => `:warning: ${awayTooText(away, words, span, long)}`),
      ...someLines(others, (other) => `:warning: Also set: ${coverText({ ...other, notes: '' }, words)}.`),
    ];
  } catch (error) {
    log.warn({ err: error }, 'looking up warnings for a new cover failed');
    return ["I couldn't check whether anyone else is out; `/delegates week` shows it."];
  }
}

/** `/delegates end`: what can be ended, each with a button; with a person only their cover. */
export const delegatesEnd: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'end',
  usage: '/delegates end [@PERSON] [for @PERSON]',
  summary: 'end a cover early; both sides are notified',
  async answer(invocation, parts) {
    const admitted = await admit(invocation, parts);
    const { member, right } = admitted;
    const { delegations } = parts;
    const options = { line: '/delegates end', isRemainder: () => false };
    const { delegate, remainder, line, ...read } = await readParties(
      invocation.text,
      admitted,
      options,
      parts,
    );
    if (remainder !== '') return [suggest(`I don't understand ${codeText(remainder)} here.`, line)];
    const owner = read.owner.user;
    const all = await listActive(member.principal, { delegator: owner.id }, delegations);
    const found = delegate === null ? all : all.filter((one) => one.delegates.includes(delegate.user.id));
    const facts = await readerFacts(member, parts);
    if (found.length > 0) return [endList(found, facts)];
    const words = coverWords(facts);
    const who = boldText(owner.id, words);
    if (delegate === null)
      return [suggest(`No one covers for ${who}.`, line.replace('end', 'set'), 'Set cover')];
    const name = `*${words.person(delegate.user.id)}*`;
    const none = `${name} doesn't cover for ${who}.`;
    // The other way round is easily meant.
    const others = await listActive(member.principal, { delegate: owner.id }, delegations);
    const reverse = others.find(({ delegator }) => delegator === delegate.user.id);
    if (reverse === undefined) return [suggest(none, '/delegates end', 'All cover')];
    const both = `${none} ${coverText({ ...reverse, notes: '' }, words)}.`;
    const turned = `/delegates end ${nameToType(owner, facts.users)} for ${nameToType(delegate.user, facts.users)}`;
    return right === 'edit'
      ? [suggest(both, turned, 'End that')]
      : [notice(both, `Only ${name} or an admin can end that.`)];
  },
};

/** A message takes about thirteen thousand characters; what the buttons ask counts as well. */
const ROWS = 20;
const MAX_CHARACTERS = 11_000;

/** The list of covers that can be ended; for a single one, the question itself. */
export function endList(found: readonly Delegation[], facts: ReaderFacts): Message {
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) {
    const text = endQuestion(only, coverWords(facts));
    return { text, blocks: [section(text, endButton('End cover', only))] };
  }
  const lead = '*Which cover do you want to end?*';
  let characters = 0;
  const rows = coverRows(found.slice(0, ROWS), facts).filter((row) => {
    characters += JSON.stringify(row).length;
    return characters < MAX_CHARACTERS;
  });
  const more = `… and ${found.length - rows.length} later. Add a person to see theirs: \`/delegates end @PERSON\``;
  return {
    text: [lead, ...rows.map((row) => row.text?.text ?? '')].join('\n'),
    blocks: [section(lead), ...rows, ...(found.length > rows.length ? [context(more)] : [])],
  };
}

/** Covers, each with a button that asks before it ends it. */
export function coverRows(delegations: readonly Delegation[], facts: ReaderFacts): readonly SectionBlock[] {
  const [words, plain] = [coverWords(facts), plainCoverWords(facts)];
  return delegations.map((one) =>
    section(coverText(one, words), {
      ...endButton('End', one),
      confirm: {
        title: plainText('End cover?'),
        text: plainText(shorten(endQuestion(one, plain), QUESTION_LENGTH)),
        confirm: plainText('End cover'),
        deny: plainText('Keep it'),
        style: 'danger',
      },
    }),
  );
}

/** More a dialog does not take; the categories are left out before the dates are. */
const QUESTION_LENGTH = 300;

function endQuestion(one: Delegation, words: CoverWords): string {
  const ask = (about: Delegation) => `End ${coverNoun(about, words)}? ${everyoneText(one)} will be notified.`;
  const full = ask(one);
  return full.length > QUESTION_LENGTH ? ask({ ...one, categoryIds: [] }) : full;
}

function endButton(title: string, { id }: Delegation) {
  return button(title, 'end-delegation', String(id), 'danger');
}

/** *End cover*; its value is the id. A second click reads that it has ended already. */
export const endDelegation: SlackAction<DelegationParts> = {
  id: 'end-delegation',
  async run(click, parts) {
    const member = await identify(click, parts);
    const facts = await readerFacts(member, parts);
    const { before, delegation } = await endOnce(member.principal, Number(click.value), parts);
    const noun = capitalized(coverNoun(before, coverWords(facts)));
    if (delegation === null) return [notice(`${noun} has already ended.`)];
    const event = delegation.active ? 'ended' : 'canceled';
    const ended = { ...before, end: delegation.end };
    const notified = await notifyBothSides({ delegation: ended, event, by: member.user.id, facts }, parts);
    return [notice(`${noun} ${event === 'ended' ? 'has ended' : 'is canceled'}.`, notified)];
  },
};
