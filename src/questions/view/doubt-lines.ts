import { shorten } from '../../block-kit/shorten.ts';
import type { Unknowns } from '../../model/answer.ts';
import { countOf, countWords } from './count-words.ts';
import { namedKeys } from './named-keys.ts';
import { type Said, say } from './wording.ts';

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
export function sideText(side: string | null, words: (text: string) => string): string {
  return side === null ? '' : `${words(shorten(side, SIDE_LENGTH))}: `;
}
