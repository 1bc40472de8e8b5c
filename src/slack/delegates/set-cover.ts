import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { DelegationApi } from '../../api/delegations/delegation-api.ts';
import { createLimitByKey } from '../../concurrency/concurrency-limit.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { CategoryId, Coverage, Delegation, DelegationInput } from '../../model/delegation.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { someLines } from '../app/message-texts.ts';
import type { DelegationParts, SlackParts } from '../app/parts.ts';
import type { Member } from '../people/accounts.ts';
import { awayTooText, uncoveredText } from './cover-message.ts';
import { notifyBothSides } from './cover-news.ts';
import { type CoverWords, coverText, coverWords, type ReaderFacts } from './cover-words.ts';
import { listAll } from './end-cover.ts';

/** A cover that is set, in words (escaped), and what follows: warnings, and whether both sides were notified. */
interface SetCover {
  readonly text: string;
  readonly more: Promise<readonly string[]>;
}

/**
 * Sets a cover, warns of what else is known of that time, and notifies both sides. What is wrong is an AppError, and then
 * nothing is set, unless it is an unknown outcome.
 */
export async function setCover(
  { principal, user }: Member,
  input: Omit<DelegationInput, 'active'>,
  facts: ReaderFacts,
  parts: DelegationParts,
): Promise<SetCover> {
  const words = coverWords(facts);
  if (input.end <= parts.now()) throw badRequest('These dates are over already. Choose a later end.');
  const draft = { ...input, active: true };
  const { delegation, isNew } = await mutex(input.delegator, () =>
    setCoverOnce(principal, draft, parts.delegations),
  );
  const text = `${isNew ? 'Set' : 'Already set'}: ${coverText(delegation, words)}`;
  if (!isNew) return { text, more: Promise.resolve([]) };
  const news = { delegation, event: 'set', by: user.id, facts } as const;
  const following = Promise.all([
    warnOf(delegation, { principal, words }, parts),
    notifyBothSides(news, parts),
  ]);
  return { text, more: following.then(([warnings, notified]) => [...warnings, notified]) };
}

/** Two clicks on one button set one cover. */
const mutex = createLimitByKey<string>(1);

/**
 * Sets a delegation unless there is the same already. Where the register leaves open whether it is saved, the list shows
 * it; if not even that does, the failure says what to do, so that no one sets it twice by chance.
 */
async function setCoverOnce(
  principal: Principal,
  draft: DelegationInput,
  delegations: Pick<DelegationApi, 'create' | 'delegations'>,
): Promise<{ readonly delegation: Delegation; readonly isNew: boolean }> {
  const { delegator } = draft;
  const same = async () =>
    (await listAll(principal, { delegator }, delegations)).find((one) => isSame(one, draft)) ?? null;
  const before = await same();
  if (before !== null) return { delegation: before, isNew: false };
  try {
    return { delegation: await delegations.create(principal, draft), isNew: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'outcome-unknown') throw error;
    const [after, isRead] = await same().then(
      (found): [Delegation | null, boolean] => [found, true],
      (): [null, boolean] => [null, false],
    );
    if (after !== null) return { delegation: after, isNew: true };
    const list = delegator === principal.account ? '`/delegates`' : `\`/delegates end for ${delegator}\``;
    throw new AppError(
      'outcome-unknown',
      error.message,
      [
        isRead ? 'It is not in the list so far.' : 'The list cannot be read now either.',
        `Check ${list} in a minute: if it is there, let both sides know yourself; if not, set it again.`,
      ],
      { cause: error },
    );
  }
}

/** The register returns people in their stored case, and can order categories its own way. */
function isSame(one: Delegation, draft: DelegationInput): boolean {
  const written = ({ delegator, delegates, categoryIds, start, end, notes }: DelegationInput) =>
    JSON.stringify([
      foldedName(delegator),
      delegates.map(foldedName),
      categoryIds.toSorted((a, b) => a - b),
      [start, end],
      notes.replace(/\s+/g, ' ').trim(),
    ]);
  return written(one) === written(draft);
}

/** Only the first part of a longer cover is searched for warnings. */
const MOST_MS = 400 * millisecondsInDay;

/** Warnings about what was just set, from now on. Never fails, for what was set remains set. */
export async function warnOf(
  delegation: Delegation,
  { principal, words }: { readonly principal: Principal; readonly words: CoverWords },
  { delegations, now, log }: Pick<SlackParts, 'delegations' | 'now' | 'log'>,
): Promise<readonly string[]> {
  const minute = Math.floor(now() / millisecondsInMinute) * millisecondsInMinute;
  const from = Math.max(delegation.start, minute);
  const until = Math.min(delegation.end, from + MOST_MS);
  try {
    return setWarnings(delegation, await delegations.coverage(principal, { from, until }), words);
  } catch (error) {
    log.warn({ err: error }, 'looking up warnings for a new cover failed');
    return ["I couldn't check whether anyone else is out; `/delegates week` shows it."];
  }
}

/** When no one is left, whose delegate is out too, and who else covers for the same work. Expects escaped words. */
function setWarnings(delegation: Delegation, coverage: Coverage, words: CoverWords): readonly string[] {
  const { id, delegator, delegates, categoryIds } = delegation;
  const looked = { span: coverage.span, whole: 'all that time' };
  const overlaps = (ids: readonly number[]) =>
    ids.length === 0 || categoryIds.length === 0 || categoryIds.some((one) => ids.includes(one));
  const concerns = (one: { readonly person: string; readonly categoryId: CategoryId }) =>
    one.person === delegator && overlaps(one.categoryId === null ? [] : [one.categoryId]);
  const uncovered = coverage.uncovered.filter((one) => one.reason !== 'gap' && concerns(one));
  const awayToo = coverage.awayToo.filter((one) => concerns(one) && delegates.includes(one.delegate));
  const others = coverage.delegations.filter(
    (one) => one.id !== id && one.delegator === delegator && overlaps(one.categoryIds),
  );
  return [
    ...someLines(uncovered, (one) => `:warning: ${uncoveredText(one, words, looked)}`),
    ...someLines(awayToo, (one) => `:warning: ${awayTooText(one, words, looked)}`),
    ...someLines(others, (one) => `:warning: Also set: ${coverText({ ...one, notes: '' }, words)}.`),
  ];
}
