import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { concerns, isOut, overlaps } from '../../api/delegations/coverage-parts.ts';
import { MOST_COVERAGE_DAYS } from '../../api/delegations/delegation-api.ts';
import { createOnce } from '../../api/delegations/save-once.ts';
import type { Delegation, DelegationInput } from '../../model/delegation.ts';
import { badRequest } from '../../model/error.ts';
import type { Principal } from '../../model/request.ts';
import { someLines } from '../app/message-texts.ts';
import type { DelegationParts, SlackParts } from '../app/parts.ts';
import type { Member } from '../people/accounts.ts';
import { awayTooText, uncoveredText } from './cover-message.ts';
import { notifyBothSides } from './cover-news.ts';
import { type CoverWords, coverText, coverWords, type ReaderFacts } from './cover-words.ts';

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
  const until = Math.min(one.end, from + MOST_COVERAGE_DAYS * millisecondsInDay);
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
