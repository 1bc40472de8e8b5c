import { ownJob, peakMb, tellFound, timed } from '../measure.ts';
import { type Columns, readColumns } from '../world/world-folder.ts';
import { readReferenceJob } from './reference-job.ts';
import { finishesOf } from './tables.ts';
import { workBefore, workIntervals } from './work-intervals.ts';

interface PlainVisit {
  readonly status: number;
  readonly start: number;
  readonly finish: number;
}

interface PlainIssue {
  readonly type: number;
  readonly visits: readonly PlainVisit[];
}

/** What nobody can be faster than, and what anybody would write first: reading the bytes, and a loop over objects. */
const job = readReferenceJob(ownJob());
const columns = readColumns(job);
const visits = ['visitOffset', 'visitStart', 'visitStatus'] as const;

/** The columns that have to be read for a question. */
const bytesOf: Readonly<Record<string, readonly (keyof Columns)[]>> = {
  'average per status': visits,
  'average per status, business calendar': visits,
  'average, median and deviation per status': visits,
  'average, median and deviation per status, business calendar': visits,
  '85th percentile per status': visits,
  'average per month and status': visits,
  'average per status by issue type': [...visits, 'type'],
  'average per assignee': ['spanOffset', 'spanStart', 'spanPerson'],
  'average, created in the last year': visits,
  'average per assignee and status': [...visits, 'spanOffset', 'spanStart', 'spanPerson'],
  'page by current fields': ['project', 'priority', 'updated'],
  'page by history': [...visits, 'updated'],
  'page ordered by two fields': ['priority', 'updated'],
};

if (process.env.REFERENCE === 'memory') await tellMemory();
else await tellObjects();

async function tellMemory(): Promise<void> {
  for (const name of job.questions) {
    const read = bytesOf[name]?.map((column) => inNumbers(columns[column]));
    if (read === undefined) continue;
    // So short that a few repeats would find the machine's mood.
    let most = 0;
    const sum = () => {
      for (const numbers of read) most += sumOf(numbers);
    };
    for (let i = 0; i < 20; i += 1) sum();
    const times = await timed(sum);
    tellFound({ name, ...times, peakMb: peakMb(), rows: [[most > 0 ? 1 : 0]] });
  }
}

/** The same bytes, eight at a time. */
function inNumbers(column: Columns[keyof Columns]): Float64Array {
  const numbers = new Float64Array(Math.ceil(column.byteLength / 8));
  new Uint8Array(numbers.buffer).set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  return numbers;
}

/** Eight sums side by side, so that no addition waits for the one before. */
function sumOf(numbers: Float64Array): number {
  let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
  const end = numbers.length - 7;
  for (let i = 0; i < end; i += 8) {
    a += numbers[i] ?? 0;
    b += numbers[i + 1] ?? 0;
    c += numbers[i + 2] ?? 0;
    d += numbers[i + 3] ?? 0;
    e += numbers[i + 4] ?? 0;
    f += numbers[i + 5] ?? 0;
    g += numbers[i + 6] ?? 0;
    h += numbers[i + 7] ?? 0;
  }
  return a + b + c + d + e + f + g + h;
}

async function tellObjects(): Promise<void> {
  const issues = objects();
  const work = workIntervals(Date.UTC(2022, 0), Date.UTC(2027, 0));
  const always = (from: number, to: number) => to - from;
  const business = (from: number, to: number) => workBefore(work, to) - workBefore(work, from);
  const questions: Readonly<Record<string, () => readonly (readonly number[])[]>> = {
    'average per status': () => averages(totals(issues, always, () => 0)),
    'average per status, business calendar': () => averages(totals(issues, business, () => 0)),
    'average, median and deviation per status': () => spreads(totals(issues, always, () => 0)),
    'average, median and deviation per status, business calendar': () =>
      spreads(totals(issues, business, () => 0)),
    'average, created in the last year': () => averages(totals(issues.filter(isOfLastYear), always, () => 0)),
    'average per status by issue type': () => averages(totals(issues, always, ({ type }) => type)),
  };
  for (const name of job.questions) {
    const question = questions[name];
    if (question === undefined) continue;
    let rows: readonly (readonly number[])[] = [];
    const times = await timed(() => {
      rows = question();
    });
    tellFound({ name, ...times, peakMb: peakMb(), rows });
  }
}

/** The first visit of an issue starts when the issue is created. */
function isOfLastYear({ visits: [first] }: PlainIssue): boolean {
  return first !== undefined && first.start >= Date.UTC(2025, 2, 17, 23);
}

function objects(): readonly PlainIssue[] {
  const { visitOffset, visitStart, visitStatus, type } = columns;
  const finishes = finishesOf(visitOffset, visitStart);
  return Array.from(type, (code, i) => {
    const from = visitOffset[i] ?? 0;
    return {
      type: code,
      visits: Array.from({ length: (visitOffset[i + 1] ?? 0) - from }, (_, at) => ({
        status: visitStatus[from + at] ?? 0,
        start: visitStart[from + at] ?? 0,
        finish: finishes[from + at] ?? 0,
      })),
    };
  });
}

/** Of each issue, by group and status, the sum of its visits. */
function totals(
  issues: readonly PlainIssue[],
  length: (from: number, to: number) => number,
  groupOf: (issue: PlainIssue) => number,
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const issue of issues) {
    const own = new Map<number, number>();
    for (const { status, start, finish } of issue.visits)
      own.set(status, (own.get(status) ?? 0) + length(start, finish));
    for (const [status, total] of own) {
      const key = groupOf(issue) * 100 + status;
      const values = found.get(key);
      if (values === undefined) found.set(key, [total]);
      else values.push(total);
    }
  }
  return found;
}

function averages(found: ReadonlyMap<number, readonly number[]>): readonly (readonly number[])[] {
  return [...found].map(([key, values]) => [key, values.reduce((a, b) => a + b, 0) / values.length]);
}

function spreads(found: ReadonlyMap<number, readonly number[]>): readonly (readonly number[])[] {
  return [...found].map(([key, values]) => {
    const average = values.reduce((a, b) => a + b, 0) / values.length;
    const sorted = Float64Array.from(values).sort();
    const middle = (sorted.length - 1) / 2;
    const median = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
    const squares = values.reduce((sum, value) => sum + (value - average) ** 2, 0);
    return [key, average, median, Math.sqrt(squares / values.length)];
  });
}
