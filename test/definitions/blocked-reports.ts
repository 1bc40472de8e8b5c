import type { FieldValue, Instant, Issue } from '../../src/model/issue.ts';
import type { Cell, CurrentValue } from '../../src/model/table.ts';
import { type HistoryVisit, wholeVisits } from './history.ts';
import { addedUp, type Entry } from './ledger.ts';
import {
  columnAbout,
  currentIn,
  type Define,
  type DefinedColumn,
  type DefinedIssue,
  type DefinedQuestion,
  factsOf,
  statusLevels,
  visitsIn,
} from './question.ts';

/** After every change. */
const EVER = 8.64e15;

/** A time in which something was so; `isOlder`: it was so already when unknown time ended. */
interface Spell {
  readonly start: Instant;
  readonly end: Instant;
  readonly by: string | null;
  readonly endedBy: string | null;
  readonly isOlder: boolean;
}

/** A thing that can block an issue, and the times at which it does so if the issue is not done. */
interface Thing {
  readonly cause: 'flag' | 'status' | 'link';
  readonly value: FieldValue;
  readonly spells: readonly Spell[];
}

/** A time, or the instant of the question, in which the same things blocked an issue. */
interface Piece {
  readonly start: Instant;
  readonly end: Instant;
  readonly isKnown: boolean;
  readonly things: readonly Thing[];
}

function spellsOf(
  visits: readonly HistoryVisit[],
  isSo: (value: FieldValue | null) => boolean,
): readonly Spell[] {
  return visits.flatMap(({ isKnown, value, start, end, opened, beganEarlier }, i) => {
    const next = visits[i + 1];
    const endedBy = next?.isKnown ? (next.opened?.by ?? null) : null;
    const isSpell = isKnown && isSo(value) && start < end;
    return isSpell ? [{ start, end, by: opened?.by ?? null, endedBy, isOlder: beganEarlier }] : [];
  });
}

const isAt = ({ start, end }: Pick<Spell, 'start' | 'end'>, at: Instant) => start <= at && at < end;

/** The keys of the issues that a value of links says block. */
function linkedIn(value: FieldValue | null): readonly string[] {
  return (value?.id ?? '').split(', ').flatMap((link) => {
    const [, key] = /^is blocked by (.*)$/.exec(link) ?? [];
    return key === undefined ? [] : [key];
  });
}

/** Visits to links, those together that lead to the same issues that block: other links change nothing. */
function visitsOfBlockers(visits: readonly HistoryVisit[]): readonly HistoryVisit[] {
  const lasting = visits.filter(({ start, end }, i) => start < end || i === visits.length - 1);
  const keyOf = ({ isKnown, value }: HistoryVisit) => `${isKnown} ${linkedIn(value).toSorted().join()}`;
  const firsts = lasting.filter((visit, i) => {
    const before = lasting[i - 1];
    return before === undefined || keyOf(before) !== keyOf(visit);
  });
  return firsts.map((visit, i) => ({
    ...visit,
    end: firsts[i + 1]?.start ?? lasting.at(-1)?.end ?? visit.end,
  }));
}

function openSpells(issue: Issue, { blocked, asOf }: DefinedQuestion): readonly Spell[] {
  const isOpen = (value: FieldValue | null) => value !== null && !blocked.isDone(issue, value.id, asOf);
  return spellsOf(wholeVisits(issue, 'status', EVER), isOpen);
}

/** All that can block an issue, the time in which it is open, and the time in which nothing is known of that. */
function thingsOf(issue: Issue, question: DefinedQuestion) {
  const { blocked, request } = question;
  const by = blocked.blockedBy(issue);
  const visitsOf = (field: string) => wholeVisits(issue, field, EVER);
  const [statuses, links] = [visitsOf('status'), by.links ? visitsOfBlockers(visitsOf('issuelinks')) : []];
  const flags = by.flag ? blocked.flags.map(visitsOf) : [];
  const keys = [...new Set(links.flatMap(({ value }) => linkedIn(value)))];
  const things = [
    ...flags.map(
      (visits): Thing => ({
        ...{ cause: 'flag', value: { id: 'flag', name: 'Flag' } },
        spells: spellsOf(visits, (value) => value !== null),
      }),
    ),
    ...by.statuses.map(
      (status): Thing => ({
        ...{ cause: 'status', value: { id: `status ${status.id}`, name: status.name } },
        spells: spellsOf(statuses, (value) => value?.id === status.id),
      }),
    ),
    ...keys.flatMap((key): Thing[] => {
      const other = blocked.issues.find((one) => one.key === key);
      if (other === undefined || !blocked.counts(other, request)) return [];
      const linked = spellsOf(links, (value) => linkedIn(value).includes(key));
      const both = openSpells(other, question).flatMap((open) =>
        linked.flatMap((link): Spell[] => {
          const [start, end] = [Math.max(open.start, link.start), Math.min(open.end, link.end)];
          if (start >= end) return [];
          const [first, last] = [link.start >= open.start ? link : open, link.end <= open.end ? link : open];
          const isOlder = [link, open].some((one) => one.start === start && one.isOlder);
          return [{ start, end, by: first.by, endedBy: last.endedBy, isOlder }];
        }),
      );
      return [{ cause: 'link', value: { id: `link ${key}`, name: key }, spells: both }];
    }),
  ];
  const unknown = [statuses, ...flags, links].flat().filter(({ isKnown }) => !isKnown);
  const gap = {
    start: Math.min(...unknown.map(({ start }) => start)),
    end: Math.max(...unknown.map(({ end }) => end)),
  };
  return { things, open: openSpells(issue, question), gap: unknown.length === 0 ? null : gap };
}

/** The pieces of the time of an issue in the window of a question, each as it is at its first instant. */
export function piecesOf(issue: Issue, question: DefinedQuestion): readonly Piece[] {
  const { asOf, request } = question;
  const [from, to] = [request.trim.from ?? Number.NEGATIVE_INFINITY, request.trim.to ?? Infinity];
  if (asOf < issue.created) return [];
  const { things, open, gap } = thingsOf(issue, question);
  const spells = [...things.flatMap((one) => one.spells), ...open, ...(gap === null ? [] : [gap])];
  const edges = [issue.created, asOf, from, ...spells.flatMap(({ start, end }) => [start, end])];
  const instants = [...new Set(edges)]
    .filter((at) => at >= issue.created && at >= from && at <= asOf && at < to)
    .sort((a, b) => a - b);
  return instants.map((at, i): Piece => {
    // Unknown time that begins at the instant of the question has not begun, unless there is no other.
    const isNew = gap !== null && gap.start === asOf && at === asOf && issue.created < asOf;
    const seenAt = isNew ? at - 1 : at;
    const isKnown = gap === null || !isAt(gap, seenAt);
    const isOpen = isKnown && open.some((spell) => isAt(spell, seenAt));
    const now = things.filter((one) => isOpen && one.spells.some((spell) => isAt(spell, seenAt)));
    return { start: at, end: Math.min(instants[i + 1] ?? asOf, asOf, to), isKnown, things: now };
  });
}

const causes = ['blocked', 'flag', 'status', 'link'] as const;

function columnOf(id: (typeof causes)[number], kind: 'duration' | 'count'): DefinedColumn {
  const word = `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`;
  return columnAbout({ id, title: id === 'blocked' ? word : `Blocked: ${word}` }, kind);
}

/** Working time in which an issue was blocked, and by each cause. */
export const blockedDuration: Define = (issue, question) =>
  byCause('duration', [issue, question], (own) =>
    own.reduce((sum, { start, end }) => sum + question.between(start, end), 0),
  );

/** How many times an issue was blocked, and by each cause; it is one time for as long as nothing interrupts it. */
export const blockedCount: Define = (issue, question) =>
  byCause('count', [issue, question], (_own, times) => times);

function byCause(
  kind: 'duration' | 'count',
  [issue, question]: Parameters<Define>,
  figureOf: (own: readonly Piece[], times: number) => number,
): ReturnType<Define> {
  const pieces = piecesOf(issue, question);
  const runsOf = (cause: (typeof causes)[number]) => {
    const isIn = (piece: Piece | undefined) =>
      piece?.things.some((one) => cause === 'blocked' || one.cause === cause) === true;
    const starts = pieces.filter((piece, i) => isIn(piece) && !isIn(pieces[i - 1]));
    return { own: pieces.filter(isIn), starts };
  };
  const { trim } = question.request;
  const isOpen = trim.to === null || question.asOf < trim.to;
  return {
    ...blockedFacts(issue, question),
    columns: causes.map((cause) => columnOf(cause, kind)),
    lines: [
      Object.fromEntries(
        causes.flatMap((cause): [string, Cell][] => {
          const { own, starts } = runsOf(cause);
          const value = figureOf(own, starts.length);
          return own.length === 0 ? [] : [[cause, { value, visits: starts.length }]];
        }),
      ),
    ],
    current: causes.flatMap((cause): CurrentValue[] => {
      const { own, starts } = runsOf(cause);
      const begun = starts.at(-1);
      if (begun === undefined || !isOpen || own.at(-1) !== pieces.at(-1)) return [];
      return [currentIn(columnOf(cause, kind), isOlderAt(begun, issue, question) ? null : begun.start)];
    }),
  };
}

/** Whether what blocks an issue when a piece begins did so already in unknown time. */
function isOlderAt({ start, things }: Piece, issue: Issue, question: DefinedQuestion): boolean {
  const { gap } = thingsOf(issue, question);
  const { from } = question.request.trim;
  if (gap === null || start !== gap.end || (from !== null && start <= from)) return false;
  return things.some((one) => one.spells.some((spell) => spell.start === start && spell.isOlder));
}

/** Working time in which an issue was blocked by the status it was in. */
export const blockedDurationByStatus: Define = (issue, question) => {
  const pieces = piecesOf(issue, question).filter(({ things }) => things.length > 0);
  const visits = visitsIn(issue, 'status', question);
  const columnsOf = (status: FieldValue): readonly DefinedColumn[] =>
    statusLevels(issue, status, question).map((level) => columnAbout(level, 'duration'));
  const entries = visits.flatMap((visit) =>
    pieces.flatMap((piece): Entry[] => {
      const [start, end] = [Math.max(visit.start, piece.start), Math.min(visit.end, piece.end)];
      if (visit.value === null || start >= end) return [];
      const amount = question.between(start, end);
      return columnsOf(visit.value).map((column) => ({ column, amount, of: visit }));
    }),
  );
  const last = visits.at(-1);
  const isNow = last?.isOpen === true && piecesOf(issue, question).at(-1)?.things.length;
  const own = addedUp(entries);
  const { contradictions } = factsOf(issue, ['status'], question);
  return {
    ...blockedFacts(issue, question),
    ...{ contradictions, columns: own.columns, lines: [own.cells] },
    current:
      isNow && last.value !== null
        ? columnsOf(last.value).map((column) => currentIn(column, last.beganEarlier ? null : last.start))
        : [],
  };
};

/** One line for each time in which the same things blocked an issue. */
export const blockedDurationExpanded: Define = (issue, question) => {
  const { asOf, between, userNames, request } = question;
  const { things, open, gap } = thingsOf(issue, question);
  const pieces = piecesOf(issue, question);
  const setOf = (piece: Piece | undefined) => {
    const ids = new Map((piece?.things ?? []).map(({ value }) => [value.id, value.name]));
    const sorted = [...ids].sort(([a], [b]) => (a < b ? -1 : 1));
    return { id: sorted.map(([id]) => id).join(', '), name: sorted.map(([, name]) => name).join(', ') };
  };
  const isSame = (a: Piece | undefined, b: Piece | undefined) =>
    a?.isKnown === b?.isKnown && setOf(a).id === setOf(b).id;
  const starts = pieces.filter((piece, i) => i === 0 || !isSame(piece, pieces[i - 1]));
  const isOpenAtEnd = request.trim.to === null || asOf < request.trim.to;
  const runs = starts.map((first, i) => ({
    ...{ first, value: setOf(first), start: first.start },
    end: starts[i + 1]?.start ?? pieces.at(-1)?.end ?? first.end,
    isOpen: i === starts.length - 1 && isOpenAtEnd,
  }));
  const spells = [...things.flatMap((one) => one.spells), ...open];
  const byAt = (at: Instant) => {
    const isFirst = at === issue.created || at === gap?.end;
    // What goes on when the window begins, no change in it began.
    if (isFirst || (request.trim.from !== null && at < request.trim.from)) return null;
    const before = piecesOf(issue, { ...question, request: { ...request, trim: { from: null, to: null } } });
    const now = before.find(({ start }) => start === at);
    const then = before.findLast((piece) => piece !== now && piece.end <= at);
    if (now === undefined || isSame(now, then)) return null;
    const begun = spells.find(({ start }) => start === at);
    return (begun === undefined ? spells.find(({ end }) => end === at)?.endedBy : begun.by) ?? null;
  };
  const last = runs.at(-1);
  return {
    ...blockedFacts(issue, question),
    columns: episodeColumns,
    lines: runs.flatMap(({ first, value, start, end, isOpen }) => {
      if (!first.isKnown || value.id === '') return [];
      const by = byAt(start);
      return [
        {
          ...{ field: { value: 'calc:blocked' }, value: { value: value.name, id: value.id } },
          ...{ valueId: { value: value.id }, start: { value: start } },
          ...(isOpen ? {} : { end: { value: end } }),
          duration: { value: between(start, end) },
          ...(by === null ? {} : { transitionedBy: { value: userNames.get(by) ?? by, id: by } }),
        },
      ];
    }),
    current:
      last?.isOpen && last.first.isKnown && last.value.id !== ''
        ? [
            {
              ...{ columnId: last.value.id, title: last.value.name },
              since: isOlderAt(last.first, issue, question) ? null : last.start,
            },
          ]
        : [],
  };
};

const episodeColumns = [
  ...(['value', 'valueId'] as const).map((id) => ({ id, kind: 'text' as const })),
  ...(['start', 'end'] as const).map((id) => ({ id, kind: 'instant' as const })),
  { id: 'duration', kind: 'duration' as const },
  { id: 'transitionedBy', kind: 'text' as const },
].map(({ id, kind }, i) =>
  columnAbout(
    { id, title: ['Cause', 'Cause ID', 'Start', 'End', 'Duration', 'Transitioned By'][i] ?? id },
    kind,
  ),
);

/** The facts beside the figures: the time in the window in which nothing is known of what blocks an issue. */
function blockedFacts(
  issue: Issue,
  question: DefinedQuestion,
): Pick<DefinedIssue, 'unknown' | 'contradictions' | 'otherStatuses'> {
  const unknown = piecesOf(issue, question).filter(({ isKnown }) => !isKnown);
  const [first, last] = [unknown[0], unknown.at(-1)];
  return {
    unknown:
      first === undefined || last === undefined
        ? null
        : { from: first.start, until: last.end, ms: question.between(first.start, last.end) },
    ...{ contradictions: 0, otherStatuses: [] },
  };
}
