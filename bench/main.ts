import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { checkRatios, keepRatios } from './check/run-check.ts';
import { type Before, beforeKey, linesOf, machineText, markdown } from './report.ts';
import { figureRow, type Row, readSizes } from './rows.ts';
import { commitText } from './state.ts';
import type { Suite } from './suite.ts';
import { aggregate } from './suites/aggregate.ts';
import { calendar } from './suites/calendar.ts';
import { delegations } from './suites/delegations.ts';
import { exportFiles } from './suites/export.ts';
import { fields } from './suites/fields.ts';
import { forecast, forecastSpeed } from './suites/forecast.ts';
import { house } from './suites/house.ts';
import { ingest } from './suites/ingest.ts';
import { jql } from './suites/jql.ts';
import { largeJira } from './suites/large-jira.ts';
import { load } from './suites/load.ts';
import { memory } from './suites/memory.ts';
import { readBack } from './suites/read-back.ts';
import { replicas } from './suites/replicas.ts';
import { rest } from './suites/rest.ts';
import { slack } from './suites/slack.ts';
import { soak } from './suites/soak.ts';
import { start } from './suites/start.ts';
import { sync } from './suites/sync.ts';

const suites: readonly Suite[] = [
  ingest,
  start,
  aggregate,
  calendar,
  jql,
  fields,
  memory,
  exportFiles,
  rest,
  load,
  soak,
  slack,
  sync,
  largeJira,
  delegations,
  replicas,
  readBack,
  house,
  forecast,
  forecastSpeed,
];

const pages = join(import.meta.dirname, '../docs');
const beforeFile = join(import.meta.dirname, 'before.json');

/** Each with what it does. */
const options: Readonly<Record<string, string>> = {
  '--full': 'the sizes of all promises',
  '--check':
    'with suites: exit code 1 when a promise is not kept or an answer is wrong; without: when a question at a small size has become slower',
  '--json': 'one JSON document with all rows',
  '--write': 'rewrites the tables of docs/performance.md and docs/forecast.md, of the suites that ran',
  '--keep': 'keeps the ratios that --check without suites compares, in bench/ratios.json',
  '--before': 'keeps the figures as those of an earlier version',
  '--help': 'this list',
};

/**
 * `npm run bench` lists the suites and runs the quick ones; `-- NAME …` runs those, `-- all` every one. `ISSUES=1k,1M`
 * chooses sizes.
 */
const words = process.argv.slice(2);
const flags = new Set(words.filter((word) => word.startsWith('--')));
const names = words.filter((word) => !word.startsWith('--'));
const unknown = [...flags].filter((flag) => options[flag] === undefined);
const wanted = names.includes('all') ? suites : suites.filter(({ name }) => names.includes(name));
const unmet = names.filter((name) => name !== 'all' && !suites.some((suite) => suite.name === name));
if (unknown.length + unmet.length > 0) {
  const allowed = ['all', ...suites.map(({ name }) => name), ...Object.keys(options)];
  console.error(`'${[...unknown, ...unmet].join(' ')}' is not known; allowed: ${allowed.join(', ')}.`);
  process.exitCode = 1;
} else if (flags.has('--help')) tellUsage();
else if (flags.has('--keep') && names.length > 0) {
  console.error(
    `--keep keeps the ratios of all questions. Try: npm run bench -- --keep, without '${names[0]}'.`,
  );
  process.exitCode = 1;
} else if (flags.has('--keep')) await keepRatios();
else if (names.length === 0 && flags.has('--check')) {
  if (!(await checkRatios())) process.exitCode = 1;
} else await runAll();

async function runAll(): Promise<void> {
  const isQuick = names.length === 0;
  if (isQuick && !flags.has('--json')) tellSuites();
  const before = readBefore();
  const rows: Row[] = [];
  for (const suite of isQuick ? suites.filter(({ quick }) => quick !== null) : wanted) {
    const { ISSUES } = process.env;
    const own = flags.has('--full') ? suite.full : isQuick ? (suite.quick ?? []) : suite.usual;
    const found = await runSuite(suite, ISSUES === undefined || own.length === 0 ? own : readSizes(ISSUES));
    rows.push(...found);
    if (!flags.has('--json')) tellRows(found, before);
    // What is measured for an hour is not lost with the last suite.
    if (flags.has('--write')) write(found, before);
    if (flags.has('--before')) keepBefore(found);
  }
  if (flags.has('--json'))
    console.log(JSON.stringify({ machine: machineText(), state: commitText(), rows }, null, 2));
  const broken = rows.filter(({ promises, fault }) => fault !== null || promises.some(({ kept }) => !kept));
  for (const { suite, name, size, promises, fault } of broken) {
    const texts = promises.filter(({ kept }) => !kept).map(({ text }) => text);
    console.error(
      `Not kept: ${suite}, ${name}${size === null ? '' : `, ${size}`}: ${[...texts, ...(fault === null ? [] : [fault])].join('; ')}`,
    );
  }
  if (flags.has('--check') && broken.length > 0) process.exitCode = 1;
}

function tellUsage(): void {
  console.log('Usage: [ISSUES=1k,1M] npm run bench -- [SUITE …|all] [OPTION …]\n');
  tellSuites();
  console.log('');
  for (const [option, about] of Object.entries(options)) console.log(`${option.padEnd(12)} ${about}`);
}

function tellSuites(): void {
  for (const { name, about, quick } of suites)
    console.log(`${name.padEnd(12)} ${about}${quick === null ? ' (only by name)' : ''}`);
}

function tellRows(rows: readonly Row[], before: Before | null): void {
  for (const [suite, lines] of linesOf(rows, before)) {
    console.log(`\n${suite}`);
    for (const { what, figures, details } of lines.map(inWords)) {
      console.log(`  ${what}: ${figures}`);
      if (details !== '') console.log(`    ${details}`);
    }
  }
}

/** Sizes on one line, what is to be said of them on the next. */
function inWords({ what = '', ...cells }: Readonly<Record<string, string>>) {
  const filled = Object.entries(cells).filter(([, cell]) => cell !== '');
  const isFigure = (column: string) => column === 'figure' || /^\d+[kM]?$/.test(column);
  const figures = filled.filter(([column]) => isFigure(column));
  const details = filled.filter(([column]) => !isFigure(column));
  return {
    what,
    figures: figures.map(([column, cell]) => (column === 'figure' ? cell : `${column} ${cell}`)).join('  '),
    details: details.map(([column, cell]) => `${column}: ${cell}`).join(' | '),
  };
}

/** A suite that fails is a fault of the run, and the others go on. */
async function runSuite(suite: Suite, sizes: readonly number[]): Promise<readonly Row[]> {
  try {
    return await suite.run(sizes);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return [
      figureRow({ suite: suite.name, name: 'ended early', size: null, unit: '' }, Number.NaN, { fault }),
    ];
  }
}

/** Puts the tables between the markers of their pages, in place of those of the same suites. */
function write(rows: readonly Row[], before: Before | null): void {
  const tables = markdown(rows, before);
  const ran = suites.filter((suite) => tables.has(suite.name));
  for (const [name, own] of Map.groupBy(ran, ({ page = 'performance.md' }) => page)) {
    const page = join(pages, name);
    const [start, end] = ['<!-- bench: begin -->', '<!-- bench: end -->'];
    const old = readFileSync(page, 'utf8');
    const [from, until] = [old.indexOf(start), old.indexOf(end)];
    if (from < 0 || until < from) throw new Error(`docs/${name} lacks ${start} or ${end}.`);
    const [, ...kept] = old.slice(from + start.length, until).split(/^### /m);
    const sections = new Map(kept.map((text) => [text.slice(0, text.indexOf('\n')), `### ${text.trim()}`]));
    const state = `${machineText()}, ${commitText()}.`;
    for (const suite of own)
      sections.set(suite.name, `### ${suite.name}\n\n${state}\n\n${tables.get(suite.name)}`);
    const ordered = suites.flatMap((suite) => sections.get(suite.name) ?? []);
    const text = [start, ...ordered, end].join('\n\n');
    writeFileSync(page, `${old.slice(0, from)}${text}${old.slice(until + end.length)}`);
  }
}

function readBefore(): Before | null {
  const form = z.object({ version: z.string(), best: z.record(z.string(), z.number()) });
  try {
    return form.parse(JSON.parse(readFileSync(beforeFile, 'utf8')));
  } catch {
    return null;
  }
}

/** Adds to what is kept of this version, or begins with it. */
function keepBefore(rows: readonly Row[]): void {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')));
  const kept = readBefore();
  const best = {
    ...(kept?.version === version ? kept.best : {}),
    ...Object.fromEntries(rows.map((row) => [beforeKey(row), Number(quietest(row).toPrecision(4))])),
  };
  writeFileSync(beforeFile, `${JSON.stringify({ version, best }, null, 2)}\n`);
}

/** One thread needs on a quiet machine what it needs of a processor on a busy one. */
function quietest({ least, cpuMs }: Row): number {
  return Math.min(least, cpuMs ?? least);
}
