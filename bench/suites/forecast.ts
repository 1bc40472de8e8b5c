import { join } from 'node:path';
import { millisecondsInDay, millisecondsInWeek } from 'date-fns/constants';
import { drawDays, TRIALS, type TrialInput, WEEK_DAYS } from '../../src/api/answers/forecast/draw-trials.ts';
import { weekWeights } from '../../src/api/answers/forecast/past-weeks.ts';
import { projectKeyOf } from '../../src/model/issues/issue-fields.ts';
import { createSampleTracker } from '../../src/trackers/sample/generate-sample.ts';
import type { AnyQuestion } from '../../test/support/any-question.ts';
import { filesOfWork, madeUpWork, type Pace, trackerOf, type Work } from '../forecast/histories.ts';
import { askForecasts, type Form, type Replayed, replay } from '../forecast/replay.ts';
import { timed } from '../measure.ts';
import { askedRows, type Line } from '../product/asked-rows.ts';
import { atMost, figureRow, promised, type Row, timeRow } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { worldOf } from '../world/world-folder.ts';

const name = 'forecast';
const speedName = 'forecast-speed';

/** The folder of tracker data, by default that of the tests. */
const folder = process.env.TRACKER_DATA ?? join(import.meta.dirname, '../../test/fixtures');

const END = Date.UTC(2026, 10, 30);
const SEEDS = [7, 1, 2, 3, 4];
const MIN_FORECASTS = 30;
const MIN_COUNTED_WEEKS = 8;
const [MIN_HELD, MAX_HELD] = [80, 90];

const byNumber: readonly Form[] = [10, 20, 40].map((issues) => ({ issues, calendar: 'normalHours' }));
const byDay: readonly Form[] = [{ calendar: 'normalHours' }];
const workingDays: readonly Form[] = [{ issues: 20, calendar: 'Office' }];
const forms: readonly (readonly [string, readonly Form[]])[] = [
  ['when 10, 20 and 40 issues are done', byNumber],
  ['how many are done in four weeks', byDay],
  ['when 20 issues are done, working days', workingDays],
];

/** How often forecasts of the past came true, and how often a change of throughput is said. */
export const forecast: Suite = {
  name,
  about:
    'forecasts of each past week beside what came of them; TRACKER_DATA=FOLDER takes other *.issues.json',
  quick: null,
  usual: [],
  full: [],
  page: 'forecast.md',
  async run() {
    return [...(await sampleRows()), ...(await fileRows()), ...(await madeUpRows()), ...(await doubtRows())];
  },
};

/** The time of the trials alone, and of whole answers beside a week of the same issues. */
export const forecastSpeed: Suite = {
  name: speedName,
  about: 'the trials of a forecast, and forecasts of all issues beside their week',
  quick: null,
  usual: [10_000, 100_000],
  full: [10_000, 100_000, 1_000_000],
  async run(sizes) {
    const rowsOf = async (size: number) => askedRows(speedName, await worldOf(size), lines);
    return [await trialRow(), ...(await rowsBySize(speedName, sizes, rowsOf))];
  },
};

const everything = { by: 'jql', jql: '' } as const;
const measured = { selection: everything, calendar: 'normalHours', timeZone: 'Europe/Berlin' };
const ofTwenty: AnyQuestion = { kind: 'forecast', issues: 20, ...measured };
const ofOpen: AnyQuestion = { kind: 'forecast', ...measured };
const weekly: AnyQuestion = { kind: 'weekly', week: 'last', ...measured };
/** A forecast of all issues takes about as long as their week. */
const lines: readonly Line[] = [
  { name: 'answer: when 20 issues are done', words: ofTwenty, ms: 300 },
  { name: 'answer: when all open issues are done', words: ofOpen, ms: 300 },
  { name: 'beside them: a week', words: weekly },
];

async function sampleRows(): Promise<readonly Row[]> {
  const now = () => END;
  const rows: Row[] = [];
  for (const project of ['WEB', 'APP', 'OPS'])
    for (const [called, some] of forms) {
      const all: Replayed[] = [];
      for (const seed of SEEDS) {
        const range = { project, begin: Date.UTC(2025, 3, 1), end: END, forms: some };
        all.push(...(await replay(createSampleTracker({ seed, now }), range)));
      }
      rows.push(heldRow(`${project}, sample, ${SEEDS.length} seeds: ${called}`, all, true));
    }
  return rows;
}

async function fileRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const file of filesOfWork(folder)) {
    if ('skipped' in file) {
      rows.push(skippedRow(file.name, file.skipped));
      continue;
    }
    const tracker = trackerOf(file.work);
    for (const [project, work] of Map.groupBy(file.work, projectKeyOf)) {
      const finished = work.flatMap((one) => one.finished ?? []);
      const end = Math.max(...work.flatMap((one) => [one.created, one.finished ?? 0])) + millisecondsInDay;
      const title = `${project}, ${file.name}, by resolution date: when 10 issues are done`;
      if (finished.length === 0) rows.push(skippedRow(title, 'nothing was finished'));
      else {
        const one: readonly Form[] = [{ issues: 10, calendar: 'normalHours' }];
        const range = { project, begin: Math.min(...finished), end, forms: one };
        rows.push(heldRow(title, await replay(tracker, range), true));
      }
    }
  }
  return rows;
}

const TEAMS = 24;
const steady: Pace = () => 8;
/** A rate that is drawn again each week, between a fifth of the mean and twice as much. */
const uneven: Pace = (_, chance) => 8 * (0.2 + 1.6 * chance());
/** A rate that goes up or down by a tenth each week, within 3 and 16. */
const drifting = (): Pace => {
  let rate = 8;
  return (_, chance) => {
    rate = Math.min(16, Math.max(3, rate * (chance() < 0.5 ? 0.9 : 1 / 0.9)));
    return rate;
  };
};

async function madeUpRows(): Promise<readonly Row[]> {
  const paces: readonly (readonly [string, () => Pace, boolean])[] = [
    ['steady, 8 a week', () => steady, true],
    ['uneven, 2 to 14 a week', () => uneven, true],
    ['drifting by a tenth a week', drifting, false],
  ];
  const rows: Row[] = [];
  for (const [called, pace, isPromised] of paces) {
    const weeks = 80;
    const some: readonly Form[] = [{ issues: 20, calendar: 'normalHours' }];
    const tracker = trackerOf(madeUpWork(TEAMS, { weeks, until: monday, pace }));
    const all: Replayed[] = [];
    for (let team = 0; team < TEAMS; team += 1) {
      const project = `T${String(team).padStart(3, '0')}`;
      const begin = monday - weeks * millisecondsInWeek;
      all.push(...(await replay(tracker, { project, begin, end: monday, forms: some })));
    }
    rows.push(heldRow(`${TEAMS} made-up teams, ${called}: when 20 issues are done`, all, isPromised));
  }
  return rows;
}

/** A Monday, midnight in UTC. */
const monday = Date.UTC(2026, 10, 30);
const HISTORIES = 200;

/** Teams whose throughput changed six weeks ago, or did not. */
async function doubtRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const changed =
    (before: number, after: number): Pace =>
    (week) =>
      week < 14 ? before : after;
  const paces: readonly (readonly [string, Pace, (said: number) => { text: string; kept: boolean }])[] = [
    ['fell from 12 to 4 a week', changed(12, 4), (said) => ({ text: '≥ 95', kept: said >= 95 })],
    ['fell from 10 to 5 a week', changed(10, 5), (said) => ({ text: '≥ 80', kept: said >= 80 })],
    ['rose from 5 to 10 a week', changed(5, 10), (said) => ({ text: '≥ 80', kept: said >= 80 })],
    ['stayed at 8 a week', steady, (said) => ({ text: '≤ 10', kept: said <= 10 })],
  ];
  for (const [called, pace, promise] of paces) {
    const work: readonly Work[] = madeUpWork(HISTORIES, { weeks: 20, until: monday, pace: () => pace });
    const { forecast: ask } = askForecasts(trackerOf(work), monday);
    let said = 0;
    for (const project of new Set(work.map(projectKeyOf)))
      if ((await ask(project, { issues: 20 }, monday)).change !== null) said += 1;
    const share = (100 * said) / HISTORIES;
    const title = `${HISTORIES} made-up teams, throughput ${called}: a change is said`;
    const row = figureRow({ suite: name, name: title, size: null, unit: '%' }, share);
    rows.push({ ...promised(row, promise(share)), columns: { forecasts: String(HISTORIES) } });
  }
  return rows;
}

const WEEKS = 52;

/** Processor time of the trials that need 52 weeks, drawn from as many. */
async function trialRow(): Promise<Row> {
  const input: TrialInput = {
    past: Int32Array.from({ length: WEEKS * WEEK_DAYS }, (_, day) => (day % WEEK_DAYS > 4 ? 0 : day % 3)),
    weights: weekWeights(WEEKS),
    future: new Uint8Array(261 * WEEK_DAYS).fill(1),
    firstDayShare: 0.5,
    seed: 1,
    trials: TRIALS,
  };
  const times = await timed(() => drawDays(input, 5 * WEEKS, () => null));
  const title = `${TRIALS.toLocaleString('en')} trials over ${WEEKS} weeks`;
  const row = timeRow({ suite: speedName, name: title, size: null }, times);
  return atMost(row, 50, times.cpu ?? times.median);
}

/** How often the date, or the number, of 85% was kept to; that of too few forecasts says nothing. */
function heldRow(title: string, all: readonly Replayed[], isPromised: boolean): Row {
  const counted = all.flatMap(({ weeks, held }) =>
    held === null || weeks < MIN_COUNTED_WEEKS ? [] : [held],
  );
  const of = { suite: name, name: title, size: null, unit: '%' };
  const forecasts = String(counted.length);
  if (counted.length < MIN_FORECASTS)
    return {
      ...figureRow(of, Number.NaN),
      columns: { figure: '', forecasts, '50%': 'too few', '85%': 'too few', '95%': 'too few' },
    };
  const shares = [0, 1, 2].map(
    (chance) => (100 * counted.filter((held) => held[chance] === true).length) / counted.length,
  );
  const [half = 0, most = 0, nearly = 0] = shares;
  const text = (share: number) => share.toFixed(1);
  const columns = { figure: '', forecasts, '50%': text(half), '85%': text(most), '95%': text(nearly) };
  const row = { ...figureRow(of, most), columns };
  const isKept = most >= MIN_HELD && most <= MAX_HELD;
  return isPromised ? promised(row, { text: `${MIN_HELD} to ${MAX_HELD}`, kept: isKept }) : row;
}

function skippedRow(title: string, why: string): Row {
  const row = figureRow({ suite: name, name: title, size: null, unit: '%' }, Number.NaN);
  return { ...row, columns: { figure: '', forecasts: `skipped: ${why}` } };
}
