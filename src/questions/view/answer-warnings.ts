import { shorten } from '../../block-kit/shorten.ts';
import type { Comparison, Unknowns } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Provenance } from '../../model/table.ts';
import { incompleteText } from '../../output/table-records.ts';
import { dataEndsBefore } from '../figures/answer-provenance.ts';
import { countOf, countWords } from './figure-words.ts';
import { type Said, say, type Wording } from './wording.ts';

/** That the data does not reach as far as the question does, before anything else; nothing where it does. */
export function dataEndWarning(
  provenance: Pick<Provenance, 'asOf' | 'dataAsOf' | 'tracker'>,
  until: { readonly at: Instant; readonly called: string } | null = null,
): readonly Said[] {
  const end = dataEndsBefore(until?.at ?? null, provenance);
  if (end === null) return [];
  const before = until === null || until.at > provenance.asOf ? '' : `, before ${until.called}`;
  return [
    say(
      ({ date }) =>
        `The data ends on ${date(end)}${before}: what happened later is missing here. ${cureOf(provenance)}`,
    ),
  ];
}

/** What is to be said before figures of what was finished until an instant, which is called so; null: until now. */
export function finishedWarnings(
  provenance: Provenance,
  doubts: Unknowns,
  until: Instant | null,
  called: string,
): readonly Said[] {
  return [
    ...dataEndWarning(provenance, until === null ? null : { at: until, called }),
    ...incompleteWarning(provenance),
    ...categoryWarning(doubts),
    ...sinceUnknownWarning(doubts, { more: true }),
    ...unclearWarning(doubts),
  ];
}

function cureOf({ tracker }: Pick<Provenance, 'tracker'>): string {
  return tracker === 'file' ? 'Import again.' : 'See why with /tis status.';
}

/** What is to be said before figures whose histories are not whole (`side`: of several); nothing where all are. */
export function incompleteWarning(provenance: Provenance, side: string | null = null): readonly Said[] {
  const text = incompleteText(provenance);
  return text === '' ? [] : [say(({ words }) => `${sideText(side, words)}Not complete: ${text}.`)];
}

const SIDE_LENGTH = 60;
const REASON_LENGTH = 150;
/** More issues are counted, not named. */
const REASONED = 5;

/** What to do about statuses whose category nobody knows. */
const cure =
  'Whoever runs Dwell mends this by importing the tracker’s list of statuses: npm run dwell -- import statuses.json';

/** Of statuses whose category nobody knows, what follows and what helps; nothing where all are known. */
export function categoryWarning({ withoutCategory }: Pick<Unknowns, 'withoutCategory'>): readonly Said[] {
  if (withoutCategory.length === 0) return [];
  return [
    say((wording) => {
      const what =
        withoutCategory.length === 1 ? 'The category of a status is' : 'The categories of statuses are';
      return `${what} not known (${namedKeys(withoutCategory, wording)}), so nobody can tell of the issues that were there what is work and what is done. ${cure}`;
    }),
  ];
}

/** Issues of which nobody can tell whether they are open or done; `side` is where they are, of several. */
export function unclearWarning(
  { unclear }: Pick<Unknowns, 'unclear'>,
  side: string | null = null,
): readonly Said[] {
  if (unclear.length === 0) return [];
  const keys = unclear.map(({ key }) => key);
  return [
    say(
      (wording) =>
        `${sideText(side, wording.words)}Left out: ${countOf(keys.length, 'issue')} of which nobody can tell whether ${keys.length === 1 ? 'it is' : 'they are'} open or done (${namedKeys(keys, wording)}).`,
    ),
  ];
}

/** Issues of which nobody can tell whether they wait on somebody, the first few with the reason. */
export function maybeWaitingWarning({ unclear }: Pick<Unknowns, 'unclear'>): readonly Said[] {
  if (unclear.length === 0) return [];
  const more = unclear.length - REASONED;
  return [
    say(({ words }) => {
      const named = unclear
        .slice(0, REASONED)
        .map(({ key, reason }) => words(`${shorten(key, SIDE_LENGTH)} (${shorten(reason, REASON_LENGTH)})`));
      return `Left out: ${countOf(unclear.length, 'issue')} of which nobody can tell whether ${unclear.length === 1 ? 'it waits' : 'they wait'}: ${named.join(', ')}${more > 0 ? ` and ${countWords(more)} more` : ''}.`;
    }),
  ];
}

/** Issues that are done, but nobody knows since when; `more`: they are in no count that was told. */
export function sinceUnknownWarning(
  { sinceUnknown }: Pick<Unknowns, 'sinceUnknown'>,
  { side = null, more }: { readonly side?: string | null; readonly more: boolean },
): readonly Said[] {
  if (sinceUnknown.length === 0) return [];
  const keys = sinceUnknown.map(({ key }) => key);
  const verb = keys.length === 1 ? 'is' : 'are';
  return [
    say(
      (wording) =>
        `${sideText(side, wording.words)}${countWords(keys.length)}${more ? ' more' : ''} ${verb} done, but nobody knows since when (${namedKeys(keys, wording)}).`,
    ),
  ];
}

/** Begins what is said of one side of a comparison. */
function sideText(side: string | null, words: (text: string) => string): string {
  return side === null ? '' : `${words(shorten(side, SIDE_LENGTH))}: `;
}

/**
 * Open issues of which it is not known since when they are where they are; nothing where there are none. A service
 * elsewhere may not tell it of whole histories either.
 */
export function unknownAges(
  keys: readonly string[],
  { tracker, cutHistories }: Pick<Provenance, 'tracker' | 'cutHistories'>,
): readonly Said[] {
  if (keys.length === 0) return [];
  const why =
    tracker === 'hosted' && cutHistories === 0
      ? 'of which the time-in-status service does not tell since when'
      : 'whose cut history does not tell since when';
  return [
    say((wording) => `Left out: ${countOf(keys.length, 'open issue')} ${why} (${namedKeys(keys, wording)}).`),
  ];
}

/** Of fewer issues, one more would change a median a lot. */
const FEW = 5;

/** What to think of sides with so few cycle times that chance decides; nothing where both have enough, or one has none. */
export function fewFinished({ titles, cycleTime }: Comparison): readonly Said[] {
  if (cycleTime.some(({ count }) => count === 0)) return [];
  const few = titles.filter((_, side) => (cycleTime[side]?.count ?? 0) < FEW);
  if (few.length === 0) return [];
  return [
    say(
      ({ strong }) =>
        `Few to compare: cycle times of fewer than ${FEW} issues of ${few.map(strong).join(' and of ')}. One more could change the median a lot; choose a longer time.`,
    ),
  ];
}

const NAMED = 5;
const NAME_LENGTH = 60;

/** `WEB-1, WEB-2 and 3 more`: the first few of some keys, or of other names. */
export function namedKeys(keys: readonly string[], { words }: Pick<Wording, 'words'>): string {
  const named = keys.slice(0, NAMED).map((key) => words(shorten(key, NAME_LENGTH)));
  const more = keys.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${countWords(more)} more` : ''}`;
}
