import { agingKind } from '../../../src/api/answers/aging/aging-kind.ts';
import { compareKind } from '../../../src/api/answers/compare/compare-kind.ts';
import { issueKind } from '../../../src/api/answers/issue/issue-kind.ts';
import { mineKind } from '../../../src/api/answers/mine/mine-kind.ts';
import { reportKind } from '../../../src/api/answers/report/report-kind.ts';
import { sprintKind } from '../../../src/api/answers/sprint/sprint-kind.ts';
import { weeklyKind } from '../../../src/api/answers/weekly/weekly-kind.ts';
import { sumOf } from '../../../src/api/answers/why/explanation.ts';
import type { Aging, Answer, DurationFigures, FigureChoice } from '../../../src/model/answer.ts';
import { cellOf, type Table } from '../../../src/model/table.ts';
import { figuresOf } from '../../support/any-question.ts';

/** What an answer shows as the figure of a choice; found by its title. */
export function shownFigure(answer: Answer, { id, title }: FigureChoice): number | null | undefined {
  const [kind, ...words] = id.split(':');
  const ofAges = (all: readonly Aging[]) => {
    const issue = all.flatMap(({ issues }) => issues).find(({ key }) => key === words.join(':'));
    return kind === 'age' ? issue?.ageMs : issue?.baseline?.p85;
  };
  switch (answer.question.kind) {
    case 'issue': {
      const story = figuresOf(issueKind, answer);
      if (kind === 'took') return story.tookMs;
      if (kind === 'age') return story.current?.forMs;
      if (kind === 'before') return sumOf(story.before.map(({ ms }) => ms));
      return story.stages.find(({ status }) => title === `Time in ${status}`)?.ms;
    }
    case 'report':
      return inTable(figuresOf(reportKind, answer).table, title, kind);
    case 'weekly': {
      const { finished, cycleTime, inProgress, flowEfficiency, statuses } = figuresOf(weeklyKind, answer);
      if (kind === 'finished') return finished.week;
      if (kind === 'progress') return inProgress.week;
      if (kind === 'flow') return flowEfficiency.week === null ? null : 100 * flowEfficiency.week;
      if (kind === 'cycle') return ofSpread(cycleTime.week, words[0]);
      const status = statuses.find((one) =>
        title.startsWith(`${kind === 'within' ? 'T' : 'Average t'}ime in ${one.title}`),
      );
      return kind === 'within' ? status?.within.week : status?.finished.week.average;
    }
    case 'sprint': {
      const { own, statuses } = figuresOf(sprintKind, answer);
      if (kind === 'cycle') return ofSpread(own.cycleTime, words[0]);
      if (kind === 'within')
        return statuses.find((one) => title === `Time in ${one.title} within the sprint`)?.within;
      return kind === 'finished' ? own.finished : kind === 'carried' ? own.carriedOver : own.added;
    }
    case 'aging':
      return ofAges([figuresOf(agingKind, answer)]);
    case 'mine': {
      const { own, covered } = figuresOf(mineKind, answer);
      return ofAges([own, ...covered.map((one) => one.aging)]);
    }
    case 'compare': {
      const { titles, finished, cycleTime, statuses } = figuresOf(compareKind, answer);
      const side = title.endsWith(`: ${titles[0]}`) ? 0 : 1;
      if (kind === 'finished') return finished[side];
      if (kind === 'cycle') return ofSpread(cycleTime[side], words[0]);
      return statuses.find((one) => title.startsWith(`Average time in ${one.title}:`))?.sides[side].average;
    }
    default:
      throw new Error(`No figures of ${answer.question.kind} are known here`);
  }
}

function ofSpread(spread: DurationFigures, which: string | undefined): number | null {
  return which === 'average' ? spread.average : which === 'median' ? spread.median : spread.p85;
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
