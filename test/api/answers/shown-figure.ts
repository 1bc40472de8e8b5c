import type { Aging } from '../../../src/api/answers/aging/aging-answer.ts';
import { agingKind } from '../../../src/api/answers/aging/aging-kind.ts';
import { compareKind } from '../../../src/api/answers/compare/compare-kind.ts';
import { issueKind } from '../../../src/api/answers/issue/issue-kind.ts';
import { mineKind } from '../../../src/api/answers/mine/mine-kind.ts';
import { reportKind } from '../../../src/api/answers/report/report-kind.ts';
import { sprintKind } from '../../../src/api/answers/sprint/sprint-kind.ts';
import { weeklyKind } from '../../../src/api/answers/weekly/weekly-kind.ts';
import { sumOf } from '../../../src/api/answers/why/explanation.ts';
import type { Answer, DurationFigures, FigureChoice } from '../../../src/model/answer.ts';
import { cellOf, type Table } from '../../../src/model/table.ts';
import { figuresOf } from '../../support/any-question.ts';

/** What an answer shows as the figure of a choice; found by its title. */
export function shownFigure(answer: Answer, { id, title }: FigureChoice): number | null | undefined {
  const [kind, ...words] = id.split(':');
  const ofAges = (all: readonly Aging[]) => {
    if (kind === 'missed') return all[0]?.target?.missed;
    const issues = all.flatMap((one) => one.issues);
    if (kind === 'target')
      return ofTargets(
        issues.flatMap(({ target }) => target ?? []),
        words,
      );
    const issue = issues.find(({ key }) => key === words.join(':'));
    return kind === 'ageMs' ? issue?.ageMs : issue?.usual?.p85Ms;
  };
  switch (answer.question.kind) {
    case 'issue': {
      const story = figuresOf(issueKind, answer);
      if (kind === 'tookMs') return story.tookMs;
      if (kind === 'current') return story.current?.forMs;
      if (kind === 'before') return sumOf(story.before.map(({ spentMs: ms }) => ms));
      return story.stages.find(({ name: status }) => title === `Time in ${status}`)?.spentMs;
    }
    case 'report':
      return inTable(figuresOf(reportKind, answer).table, title, kind);
    case 'weekly': {
      const { finished, cycleTime, inProgress, flowEfficiency, target, statuses } = figuresOf(
        weeklyKind,
        answer,
      );
      if (kind === 'finishedWithin') return target?.finishedWithin;
      if (kind === 'target') return target?.withinMs;
      if (kind === 'finished') return finished.week;
      if (kind === 'inProgress') return inProgress.week;
      if (kind === 'flowEfficiency') return flowEfficiency.week === null ? null : 100 * flowEfficiency.week;
      if (kind === 'cycleTime') return ofSpread(cycleTime.week, words[0]);
      const status = statuses.find((one) =>
        title.startsWith(`${kind === 'withinMs' ? 'T' : 'Average t'}ime in ${one.name}`),
      );
      return kind === 'withinMs' ? status?.withinMs.week : status?.finished.week.averageMs;
    }
    case 'sprint': {
      const { sprint: own, statuses } = figuresOf(sprintKind, answer);
      if (kind === 'cycleTime') return ofSpread(own.cycleTime, words[0]);
      if (kind === 'withinMs')
        return statuses.find((one) => title === `Time in ${one.name} within the sprint`)?.withinMs;
      return kind === 'finished' ? own.finished : kind === 'carriedOver' ? own.carriedOver : own.added;
    }
    case 'aging':
      return ofAges([figuresOf(agingKind, answer)]);
    case 'mine': {
      const { own, covered } = figuresOf(mineKind, answer);
      return ofAges([own, ...covered.map((one) => one.aging)]);
    }
    case 'compare': {
      const { sides, statuses } = figuresOf(compareKind, answer);
      const side = title.endsWith(`: ${sides[0].title}`) ? 0 : 1;
      if (kind === 'finished') return sides[side].finished;
      if (kind === 'cycleTime') return ofSpread(sides[side].cycleTime, words[0]);
      return statuses.find((one) => title.startsWith(`Average time in ${one.name}:`))?.sides[side].averageMs;
    }
    default:
      throw new Error(`No figures of ${answer.question.kind} are known here`);
  }
}

/** The target of a figure of one project: `target:WEB` was learned, `target:WEB:85:3600000` was set. */
function ofTargets(
  targets: readonly NonNullable<Aging['issues'][number]['target']>[],
  [, percent, withinMs]: readonly string[],
): number | undefined {
  return targets.find((one) =>
    percent === undefined
      ? one.source === 'learned'
      : one.source === 'set' &&
        [String(one.percent), String(one.withinMs)].join() === [percent, withinMs].join(),
  )?.withinMs;
}

function ofSpread(spread: DurationFigures, which: string | undefined): number | null {
  return which === 'averageMs' ? spread.averageMs : which === 'medianMs' ? spread.medianMs : spread.p85Ms;
}

function inTable({ columns, rows }: Table, title: string, kind: string | undefined): number | undefined {
  const values = columns.filter(({ part }) => part === 'value');
  const groups = columns.filter(({ part }) => part === 'group');
  const named = (column: string, own: (typeof rows)[number]['own']) =>
    [column, ...groups.map(({ id }) => String(cellOf(own, id)?.value ?? '(none)'))].join(' · ');
  const numbers = rows.flatMap(({ issueKey, own, cells }) =>
    values.flatMap((column) => {
      const value = cellOf(cells, column.id)?.value;
      const meant =
        kind === 'cell'
          ? title === named(column.title, own)
          : kind === 'column'
            ? title === `${column.title}, all issues together`
            : title === `All of ${issueKey}`;
      return meant && typeof value === 'number' ? [value] : [];
    }),
  );
  return numbers.length === 0 ? undefined : sumOf(numbers);
}
