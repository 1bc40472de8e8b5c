import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Aging } from '../../../api/answers/aging/aging-answer.ts';
import type { Comparison } from '../../../api/answers/compare/compare-answer.ts';
import { dataEndsBefore, isDecided, joinProvenance } from '../../../api/outcomes/read-table.ts';
import type { Unknowns } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { MovingRange } from '../../../model/question.ts';
import type { DateRangeField, Selection } from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import { assumedOnly, setCategoryText } from '../../../output/assumed-categories.ts';
import { countOf, countWords } from '../../../output/figure-words.ts';
import { ageText, shorten } from '../../../output/readable-text.ts';
import { dayWords, hoursText, type Wording } from '../../../output/wording.ts';
import type { AnswerPlace } from './answer-sheet.ts';
import { type Text, wordedText } from './marked-wording.ts';

type Sentence = (wording: Wording) => string;

/** All that is to be known before figures are trusted is one warning; none without a sentence. */
function warning(sentences: readonly Sentence[]): readonly Text[] {
  if (sentences.length === 0) return [];
  return [wordedText((wording) => sentences.map((sentence) => sentence(wording)).join('\n'))];
}

interface Until {
  readonly at: Instant;
  readonly called: string;
}

/** That the data ends before the time that the question is about (null: now); nothing where it does not. */
export function dataEndWarning(provenance: Provenance, until: Until | null = null): readonly Text[] {
  return warning(dataEnd(provenance, until));
}

/** That histories are not complete; nothing where all are. */
export function incompleteWarning(provenance: Provenance): readonly Text[] {
  return warning([...cutHistories(provenance), ...undecided(provenance)]);
}

/** The same without the issues that are named as `doubts`: it is unknown whether they were finished in the time of a range. */
export function beyondDoubts(
  provenance: Provenance,
  { doneSinceUnknown: since, unclear: open }: Pick<Unknowns, 'doneSinceUnknown' | 'unclear'>,
  range: { readonly field: DateRangeField } | null,
): Provenance {
  if (range?.field !== 'finished') return provenance;
  return { ...provenance, undecided: Math.max(0, provenance.undecided - since.length - open.length) };
}

/** Before one issue, or what is summed up of many: statuses without a category (their titles), and assumed ones. */
export function categoryWarning(titles: readonly string[], provenance: Provenance): readonly Text[] {
  return warning(categories(titles, provenance));
}

/** Before many issues that need not be finished: which of them may be, or are since an unknown time. */
export function doubtWarnings(doubts: Unknowns, provenance: Provenance): readonly Text[] {
  return warning([
    ...categories(doubts.statusesWithoutCategory, provenance),
    ...sinceUnknown(doubts, ''),
    ...unclear(doubts),
  ]);
}

/** Before figures of what was finished until an instant, which is called so; null: until now. */
export function finishedWarnings(
  provenance: Provenance,
  doubts: Unknowns,
  until: Instant | null,
  called: string,
): readonly Text[] {
  return warning([
    ...dataEnd(provenance, until === null ? null : { at: until, called }),
    ...cutHistories(provenance),
    ...undecided(provenance),
    ...categories(doubts.statusesWithoutCategory, provenance),
    ...sinceUnknown(doubts, ' more'),
    ...unclear(doubts),
  ]);
}

/** More people are not named. */
const PEOPLE = 5;

/** Before open issues: those of the question, then those of people (`of`), which are explained one by one (`reasons`). */
export function agingWarnings(
  parts: readonly { readonly aging: Aging; readonly of: string | null }[],
  { reasons = false }: { readonly reasons?: boolean } = {},
): readonly Text[] {
  const [first] = parts;
  if (first === undefined) return [];
  const { provenance } = first.aging;
  const all = parts.map(({ aging }) => aging);
  const doubts = { unclear: all.flatMap((one) => one.unclear) };
  return warning([
    ...dataEnd(provenance),
    ...parts.slice(0, PEOPLE + 1).flatMap(({ aging, of }) => ofSide(of, undecided(aging.provenance))),
    ...categories(
      all.flatMap((one) => one.statusesWithoutCategory),
      all.map((one) => one.provenance).reduce(joinProvenance),
    ),
    ...leftOut(
      all.flatMap(({ ageUnknown }) => ageUnknown),
      provenance,
    ),
    ...(reasons ? unclearWithReasons(doubts) : unclear(doubts)),
  ]);
}

/** Before two sides: what is to be known of each, and that there is little to compare. */
export function compareWarnings(
  comparison: Comparison,
  ranges: readonly [MovingRange | null, MovingRange | null],
): readonly Text[] {
  const [one, other] = comparison.sides;
  return warning([
    ...dataEnd(one.provenance),
    ...([0, 1] as const).flatMap((index) => {
      const side = comparison.sides[index];
      return ofSide(side.title, [
        ...cutHistories(side.provenance),
        ...undecided(beyondDoubts(side.provenance, side, ranges[index])),
        ...sinceUnknown(side, ''),
        ...unclear(side),
      ]);
    }),
    ...categories(
      [...one.statusesWithoutCategory, ...other.statusesWithoutCategory],
      joinProvenance(one.provenance, other.provenance),
    ),
    ...fewFinished(comparison),
  ]);
}

/** Open issues left out as it is unknown since when they are in their status; nothing where there are none. */
export function unknownAges(keys: readonly string[], provenance: Provenance): readonly Text[] {
  return warning(leftOut(keys, provenance));
}

function dataEnd(provenance: Provenance, until: Until | null = null): readonly Sentence[] {
  const end = dataEndsBefore(until?.at ?? null, provenance);
  if (end === null) return [];
  const before = until === null || until.at > provenance.asOf ? '' : `, before ${until.called}`;
  const cure = provenance.tracker === 'file' ? 'Import again.' : 'See why with `/tis status`.';
  return [({ date }) => `The data ends on ${date(end)}${before}: later changes are missing. ${cure}`];
}

function cutHistories({ cutHistories: cut, issues }: Provenance): readonly Sentence[] {
  if (cut === 0) return [];
  const histories = issues === 1 ? 'history' : 'histories';
  const are = cut === 1 ? 'is' : 'are';
  return [
    () => `${countWords(cut)} of ${countWords(issues)} ${histories} ${are} cut: earlier time is missing.`,
  ];
}

function undecided({ undecided: count, unasked = 0 }: Provenance): readonly Sentence[] {
  const belong = count === 1 ? 'it belongs' : 'they belong';
  const them = unasked === 1 ? 'it' : 'them';
  const sentences = [
    ...(count === 0 ? [] : [`${countOf(count, 'issue')} left out: it is unknown whether ${belong} here.`]),
    ...(unasked === 0
      ? []
      : [
          `${countOf(unasked, 'issue')} left out: the tracker did not say who can see ${them}. See why with \`/tis status\`.`,
        ]),
  ];
  return sentences.map((sentence) => () => sentence);
}

/** Statuses without a category (their titles), and which categories are assumed; what an admin can do about both, once. */
function categories(titles: readonly string[], provenance: Provenance): readonly Sentence[] {
  const names = [...new Set(titles)];
  const what = names.length === 1 ? 'status' : 'the statuses';
  const assumed: Sentence = ({ words }) => {
    const text = assumedOnly(provenance, (name) => words(shorten(name, NAME_LENGTH))) ?? '';
    return names.length === 0 ? `${text} ${setCategoryText}.` : text;
  };
  const missing: Sentence = (wording) =>
    `No category for ${what} ${namedKeys(names, wording)}. ${setCategoryText}, or import the tracker's list of statuses.`;
  return [...(assumedOnly(provenance) === null ? [] : [assumed]), ...(names.length === 0 ? [] : [missing])];
}

/** `more` where the issues are in no count beside it. */
function sinceUnknown({ doneSinceUnknown: issues }: Unknowns, more: '' | ' more'): readonly Sentence[] {
  if (issues.length === 0) return [];
  const count = countWords(issues.length);
  const are = issues.length === 1 ? 'issue is' : 'issues are';
  return [
    (wording) =>
      `${count}${more} ${are} done, but since when is unknown (${namedKeys(keysOf(issues), wording)}).`,
  ];
}

function unclear({ unclear: issues }: Pick<Unknowns, 'unclear'>): readonly Sentence[] {
  if (issues.length === 0) return [];
  const are = issues.length === 1 ? 'it is' : 'they are';
  return [
    (wording) =>
      `${countOf(issues.length, 'issue')} left out: it is unknown whether ${are} open or done (${namedKeys(keysOf(issues), wording)}).`,
  ];
}

const REASONED = 3;
const REASON_LENGTH = 100;

function unclearWithReasons({ unclear: issues }: Pick<Unknowns, 'unclear'>): readonly Sentence[] {
  if (issues.length === 0) return [];
  const more = issues.length - REASONED;
  return [
    ({ words }) => {
      const named = issues
        .slice(0, REASONED)
        .map(({ key, reason }) => words(`${shorten(key, NAME_LENGTH)} (${shorten(reason, REASON_LENGTH)})`));
      return `${countOf(issues.length, 'issue')} left out: ${named.join(', ')}${more > 0 ? ` and ${countWords(more)} more` : ''}.`;
    },
  ];
}

function leftOut(keys: readonly string[], { tracker, cutHistories: cut }: Provenance): readonly Sentence[] {
  if (keys.length === 0) return [];
  const [its, histories] = keys.length === 1 ? ['its', 'history is'] : ['their', 'histories are'];
  const why =
    cut > 0
      ? `${its} ${histories} cut`
      : tracker === 'hosted'
        ? `the time-in-status service does not say since when ${its} status is the current one`
        : `a step is missing in ${its} history`;
  return [(wording) => `${countOf(keys.length, 'issue')} left out: ${why} (${namedKeys(keys, wording)}).`];
}

/** With fewer issues than this, one more would change a median a lot. */
const FEW = 5;

/** Sides with so few cycle times that chance decides; nothing where both have enough, or one has none. */
function fewFinished({ sides }: Comparison): readonly Sentence[] {
  const counts = sides.map(({ cycleTime }) => cycleTime.count);
  if (counts.some((count) => count === 0) || counts.every((count) => count >= FEW)) return [];
  return [
    ({ words }) => {
      const few = sides
        .filter(({ cycleTime: { count } }) => count < FEW)
        .map(
          ({ title, cycleTime: { count } }) =>
            `${countOf(count, 'cycle time')} in ${words(shorten(title, NAME_LENGTH))}`,
        );
      return `Only ${few.join(' and ')}: one more issue could change the median a lot. Try a longer time.`;
    },
  ];
}

function ofSide(side: string | null, sentences: readonly Sentence[]): readonly Sentence[] {
  if (side === null) return sentences;
  return sentences.map(
    (sentence) => (wording) => `${wording.words(shorten(side, NAME_LENGTH))}: ${sentence(wording)}`,
  );
}

function keysOf(issues: Unknowns['unclear']): readonly string[] {
  return issues.map(({ key }) => key);
}

const NAMED = 5;
const NAME_LENGTH = 60;

/** `WEB-1, WEB-2 and 3 more`: the first few of some keys, or of other names. */
export function namedKeys(keys: readonly string[], { words }: Pick<Wording, 'words'>): string {
  const named = keys.slice(0, NAMED).map((key) => words(shorten(key, NAME_LENGTH)));
  const more = keys.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${countWords(more)} more` : ''}`;
}

const QUERY_LENGTH = 200;
const NOTE_LENGTH = 200;

/** Data of a live tracker that is younger than that is as good as now. */
const FRESH_MS = 15 * millisecondsInMinute;

/** The source of figures, in one line. `query` is shown where it was typed. */
export function footText(provenance: Provenance, wording: Wording, query: string | null = null): string {
  const parts = [
    provenanceText(provenance, wording),
    ...flowTexts(provenance),
    ...(provenance.notes ?? []).map((one) => wording.words(shorten(one.replace(/\.$/, ''), NOTE_LENGTH))),
    ...(query === null
      ? []
      : [`filter: ${wording.words(shorten(query.replace(/\s+/g, ' '), QUERY_LENGTH))}`]),
  ];
  const line = parts.join(' · ');
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
}

/** The last changes of the flows that count: `flow of WEB changed Nov 12`; of more than two projects the latest one. */
function flowTexts({ flows = [], asOf, timeZone }: Provenance): readonly string[] {
  const day = (at: Instant) => dayWords(at, { timeZone, near: asOf });
  if (flows.length > 2) {
    const last = Math.max(...flows.map(({ changedAt }) => changedAt));
    return [`flows of ${flows.length} projects changed, last on ${day(last)}`];
  }
  return flows.map(({ project, changedAt }) => `flow of ${project} changed ${day(changedAt)}`);
}

const unsynced: ReadonlySet<string> = new Set(['sample', 'file', 'hosted']);

/**
 * The source of figures, in parts of one line: which hours count, as of when, how old the data is where that matters,
 * and whether histories are whole.
 */
export function provenanceText(
  { calendar, asOf, askedAt, dataAsOf, tracker, complete, cutHistories }: Provenance,
  wording: Wording,
): string {
  return [
    hoursText(calendar, wording.words),
    `as of ${wording.date(asOf)}`,
    ...(dataAsOf === null || askedAt - dataAsOf < FRESH_MS
      ? []
      : [`data as of ${momentText(dataAsOf, askedAt, wording)}`]),
    ...(tracker === 'sample' ? ['sample data'] : []),
    ...(dataAsOf === null && !unsynced.has(tracker) ? ['the initial sync is still running'] : []),
    complete
      ? 'history complete'
      : cutHistories > 0
        ? `${cutHistories} ${cutHistories === 1 ? 'history' : 'histories'} cut`
        : 'history not complete',
  ].join(' · ');
}

/** When something was, and how long ago: `09:41, 2 min ago`; what is over a day old with its date as well. */
export function momentText(at: Instant, now: Instant, { date, time }: Wording): string {
  const age = now - at;
  return `${age < millisecondsInDay ? time(at) : date(at)}, ${ageText(age)}`;
}

/**
 * The query that chose the issues, for its principal alone: it may name projects, issues and people that others may not know
 * of. Null where no query may be shown.
 */
export function queryText(selection: Selection | null, place: AnswerPlace): string | null {
  return place === 'private' && selection?.by === 'jql' ? selection.jql : null;
}

/** The provenance with `complete` for the histories alone: other warnings say what else is unknown. */
export function historiesOf(provenance: Provenance): Provenance {
  return { ...provenance, complete: provenance.cutHistories === 0 && isDecided(provenance) };
}
