import type { FieldValue, Instant, Issue } from '../../src/model/issue.ts';
import type { CurrentValue } from '../../src/model/table.ts';
import { beginOf, type HistoryVisit, lastOpen } from './history.ts';
import { addedUp, type Entry } from './ledger.ts';
import { coverAt, coveredSince, type Pair, pairsOf, piecesByCover } from './pieces.ts';
import {
  type Arranged,
  assigneeLevel,
  columnAbout,
  consolidatedOf,
  currentIn,
  type Define,
  type DefinedColumn,
  type DefinedQuestion,
  factsOf,
  type Level,
  reversed,
  statusLevels,
  visitsIn,
  within,
  workIn,
} from './question.ts';

/** Working time with each assignee while the issue was in statuses that count, apart where someone covered for them. */
export const assigneeDuration: Define = (issue, question) =>
  timeByAssignee(issue, question, (assignee, at) => {
    const cover = assignee === null ? null : coverAt(question.delegateTimes(assignee.id), at);
    const owner = assigneeLevel(assignee, question);
    if (cover === null) return [columnAbout(owner, 'duration')];
    const { category } = cover;
    const title = question.userNames.get(cover.delegate) ?? cover.delegate;
    const delegate = { id: cover.delegate, title };
    const encoded = [owner.id, delegate.id].map((id) => id.replaceAll('%', '%25').replaceAll(':', '%3A'));
    const level: Level = {
      id: `:standIn:${category.id ?? 'general'}:${encoded.join(':')}`,
      title: `${title} for ${owner.title}${category.id === null ? '' : ` (${category.name})`}`,
    };
    return [
      {
        ...columnAbout(level, 'duration'),
        standIn: { owner: { id: owner.id, title: owner.title }, delegate, category },
      },
    ];
  });

/** Working time with the members of each group; no one's time counts for no group. */
export const groupDuration: Define = (issue, question) =>
  timeByAssignee(issue, question, (assignee) =>
    question.groups
      .filter(({ members }) => assignee !== null && members.includes(assignee.id))
      .map(({ id, name }) => columnAbout({ id, title: name }, 'duration')),
  );

type ColumnsAt = (assignee: FieldValue | null, at: Instant) => readonly DefinedColumn[];

function timeByAssignee(issue: Issue, question: DefinedQuestion, columnsAt: ColumnsAt) {
  const assignees = visitsIn(issue, 'assignee', question);
  const statuses = visitsIn(issue, 'status', question);
  const entries = pairsOf(assignees, statuses)
    .filter(({ other }) => other.value !== null && counts(other.value.id, question))
    .flatMap(({ one, other, start, end }) => {
      const times = one.value === null ? [] : question.delegateTimes(one.value.id);
      return piecesByCover({ start, end, isOpen: one.isOpen && other.isOpen }, times).flatMap((piece) =>
        columnsAt(one.value, piece.start).map(
          (column): Entry => ({ column, amount: workIn(piece, question), of: one }),
        ),
      );
    });
  const { columns, cells } = addedUp(entries);
  return {
    ...{ columns, lines: [cells], current: currentAssignee(lastOpen(assignees), question, columnsAt) },
    otherStatuses: statuses.flatMap(({ value }) => value ?? []),
    unknown: factsOf(issue, ['assignee', 'status'], question).unknown,
    contradictions: factsOf(issue, ['assignee'], question).contradictions,
  };
}

/** Whether time in a status counts where columns are about people: it is chosen, or there is no choice and it is not gone. */
function counts(status: string, { request, statuses }: DefinedQuestion): boolean {
  const isMember = consolidatedOf(request).some((one) => one.statuses.includes(status));
  if (request.statuses !== null) return request.statuses.includes(status) || isMember;
  return isMember || request.includeDeletedStatuses || statuses.get(status)?.deleted !== true;
}

/** The columns an issue's time counts for now, and since when: of the visit, or later of a change of who covers. */
function currentAssignee(
  open: HistoryVisit | null,
  question: DefinedQuestion,
  columnsAt: ColumnsAt,
): readonly CurrentValue[] {
  if (open === null) return [];
  const times = open.value === null ? [] : question.delegateTimes(open.value.id);
  const covered = coveredSince(times, open.end);
  const since = covered !== null && covered > open.start ? covered : beginOf(open);
  return columnsAt(open.value, open.end).map((column) => currentIn(column, since));
}

/** Working time with each assignee in each status. */
export const statusDurationByAssignee: Define = (issue, question) =>
  byAssigneeAndStatus(issue, question, within);

/** The same, statuses first. */
export const assigneeDurationByStatus: Define = (issue, question) =>
  byAssigneeAndStatus(issue, question, reversed);

function byAssigneeAndStatus(issue: Issue, question: DefinedQuestion, arranged: Arranged) {
  const assignees = visitsIn(issue, 'assignee', question);
  const statuses = visitsIn(issue, 'status', question);
  const columnsOf = ({ one, other }: Pick<Pair, 'one' | 'other'>) =>
    other.value === null
      ? []
      : statusLevels(issue, other.value, question).map((status) =>
          arranged(assigneeLevel(one.value, question), status),
        );
  const entries = pairsOf(assignees, statuses).flatMap((pair) =>
    columnsOf(pair).map((column): Entry => ({ column, amount: workIn(pair, question), of: pair })),
  );
  const { columns, cells } = addedUp(entries);
  const [one, other] = [lastOpen(assignees), lastOpen(statuses)];
  const isKnown = one !== null && other !== null;
  const begins = isKnown ? [beginOf(one), beginOf(other)] : [];
  const since = begins.includes(null) ? null : Math.max(...begins.map((begin) => begin ?? 0));
  return {
    ...factsOf(issue, ['assignee', 'status'], question),
    ...{ columns, lines: [cells] },
    current: isKnown ? columnsOf({ one, other }).map((column) => currentIn(column, since)) : [],
  };
}
