import type { Issue } from '../../src/model/issue.ts';
import { type TimePeriod, timePeriods } from '../../src/model/request.ts';
import type { Cell, Cells } from '../../src/model/table.ts';
import { lastOpen, valueAt, wholeVisits } from './history.ts';
import { periodAtInstant } from './pieces.ts';
import { type DefinedQuestion, nameIn } from './question.ts';

/** The cell of a field column of an issue; null where the field is empty, or was at the instant of the question. */
type DefineField = (issue: Issue, question: DefinedQuestion) => Cell | null;

/** Fields that follow from others; facts of the whole issue do not shrink with the window of a question. */
const computed: Readonly<Record<string, DefineField>> = {
  'calc:projectKey': ({ key }) => ({ value: key.split('-')[0] ?? '' }),
  'calc:projectName': ({ project }) => ({ value: project.name, id: project.id }),
  'calc:statusCategory': (issue, { asOf, statuses }) => {
    const status = valueAt(issue, 'status', asOf);
    return status === null ? null : { value: statuses.get(status.id)?.category ?? 'Undefined' };
  },
  'calc:leadTime': (issue, question) => {
    const resolved = resolvedBy(issue, question);
    return resolved === null ? null : { value: question.between(issue.created, resolved) };
  },
  'calc:age': (issue, question) => ({
    value: question.between(issue.created, resolvedBy(issue, question) ?? question.asOf),
  }),
  'calc:currentStatusAge': (issue, { asOf, between }) => {
    const open = lastOpen(wholeVisits(issue, 'status', asOf));
    return open === null || open.beganEarlier ? null : { value: between(open.start, open.end) };
  },
  'calc:transitions': (issue, { asOf }) => {
    const visits = wholeVisits(issue, 'status', asOf);
    const steps = visits.slice(1).filter(({ value }, i) => value !== null && visits[i]?.value != null);
    return { value: steps.length };
  },
  created: ({ created }) => ({ value: created }),
  resolutiondate: (issue, question) => instantCell(resolvedBy(issue, question)),
  ...Object.fromEntries(
    timePeriods.flatMap((period): [string, DefineField][] => [
      [`calc:created${period}`, (issue) => periodCell(issue.created, period)],
      [`calc:resolved${period}`, (issue, question) => periodCell(resolvedBy(issue, question), period)],
    ]),
  ),
};

/** Every field that follows from others. */
export const computedIds: readonly string[] = Object.keys(computed);

/** The cells of key, summary and some fields of an issue, as it was at the instant of a question. */
export function defineFields(issue: Issue, fields: readonly string[], question: DefinedQuestion): Cells {
  const cells = ['summary', ...fields].flatMap((field): [string, Cell][] => {
    const cell = defineField(issue, field, question);
    return cell === null ? [] : [[field, cell]];
  });
  return { issuekey: { value: issue.key }, ...Object.fromEntries(cells) };
}

function defineField(issue: Issue, field: string, question: DefinedQuestion): Cell | null {
  const define = computed[field];
  if (define !== undefined) return define(issue, question);
  const value = valueAt(issue, field, question.asOf);
  return value === null ? null : { value: nameIn(issue, field, value, question), id: value.id };
}

/** The resolution date where it is not after the instant of a question. */
function resolvedBy({ resolved }: Issue, { asOf }: DefinedQuestion): number | null {
  return resolved !== null && resolved <= asOf ? resolved : null;
}

function instantCell(at: number | null): Cell | null {
  return at === null ? null : { value: at };
}

/** The period of an instant in the principal's zone, which is UTC in tests. */
function periodCell(at: number | null, period: TimePeriod): Cell | null {
  return at === null ? null : { value: periodAtInstant(at, period, 'UTC') };
}
