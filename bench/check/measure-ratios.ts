import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runProgram } from '../measure.ts';
import type { Asked } from '../product/asked.ts';
import { askedIn } from '../product/asked-rows.ts';
import { startServer } from '../product/start-server.ts';
import { startSlack } from '../product/start-slack.ts';
import { sizeName } from '../rows.ts';
import { aggregateLines } from '../suites/aggregate.ts';
import { fieldsLines } from '../suites/fields.ts';
import { exportFiles, imported, importOnce } from '../suites/ingest.ts';
import { jqlLines } from '../suites/jql.ts';
import { keyAt, typeCommand } from '../suites/slack.ts';
import { averageOfAll, startOnce } from '../suites/start.ts';
import { worldOf } from '../world/world-folder.ts';
import type { Ratios } from './ratios.ts';
import { ratioOfProcesses, SAMPLES, warmReference } from './sample.ts';

const sizes: readonly number[] = [1_000, 10_000];
/** Commands of one sample, so many in flight at a time, and those before the first sample. */
const COMMANDS = 60;
const IN_FLIGHT = 5;
const WARM_COMMANDS = 200;

const single: Asked = {
  name: 'single issue',
  reports: [{ reportType: 'statusDuration', selection: { by: 'keys', keys: ['WEB-7'] } }],
};

/** Every question of the suites about all issues, and a single one. */
const asked: readonly Asked[] = [
  single,
  ...new Map(
    [...aggregateLines, ...jqlLines, ...fieldsLines]
      .filter(({ upTo }) => upTo === undefined)
      .map((line) => [line.name, askedIn(line)]),
  ).values(),
];

const ratioFound = z.object({ name: z.string(), ratio: z.number() });

/** Measures the questions of those names (`question | size`), or all. */
export async function measureRatios(only: ReadonlySet<string> | null): Promise<Ratios> {
  warmReference();
  const found: Record<string, number> = {};
  const isWanted = (name: string, size: number) => only === null || only.has(ratioKey(name, size));
  for (const size of sizes) {
    const questions = asked.filter(({ name }) => isWanted(name, size));
    if (questions.length > 0) {
      const { dataDir } = await worldOf(size);
      // Few questions have time for more samples, and in a process of their own their code is colder.
      const job = { dataDir, questions, samples: only === null ? SAMPLES : 4 * SAMPLES };
      const ratios = await runProgram({ path: 'check/ask-ratios.ts', job }, (line) => ratioFound.parse(line));
      for (const { name, ratio } of ratios) found[ratioKey(name, size)] = ratio;
    }
    for (const [name, { sizes: own, measure }] of Object.entries(ofProcesses)) {
      if (own.includes(size) && isWanted(name, size)) found[ratioKey(name, size)] = await measure(size);
    }
  }
  return found;
}

function ratioKey(name: string, size: number): string {
  return `${name} | ${sizeName(size)}`;
}

/** What only a process of its own shows. */
const ofProcesses: Readonly<Record<string, OfProcesses>> = {
  '/tis KEY': { sizes: [10_000], measure: commandRatio },
  'start to first whole answer': { sizes: [10_000], measure: startRatio },
  'import per JSON.parse': { sizes, measure: importRatio },
};

interface OfProcesses {
  readonly sizes: readonly number[];
  measure(size: number): Promise<number>;
}

/** From the signed command to the posted answer, 40 people in turns: processor time of the server. */
async function commandRatio(size: number): Promise<number> {
  const { dataDir } = await worldOf(size);
  const slack = await startSlack();
  try {
    const server = await startServer({
      dataDir,
      slackApiUrl: slack.apiUrl,
      environment: slack.environment('http'),
    });
    slack.botAt(server.url);
    try {
      let asked = 0;
      const askMany = async (count: number) => {
        const end = asked + count;
        const { cpuMs } = await server.watched();
        await Promise.all(
          Array.from({ length: IN_FLIGHT }, async () => {
            while (asked < end) {
              asked += 1;
              const { isFailed, replyMs } = await typeCommand(
                slack,
                asked,
                `/tis ${keyAt(asked * 7_919, size)}`,
              );
              if (isFailed || replyMs === null) throw new Error('/tis KEY was not answered.');
            }
          }),
        );
        return ((await server.watched()).cpuMs - cpuMs) / count;
      };
      await askMany(WARM_COMMANDS);
      return await ratioOfProcesses(() => askMany(COMMANDS));
    } finally {
      await server.stop();
    }
  } finally {
    await slack.stop();
  }
}

/** From the snapshot. */
async function startRatio(size: number): Promise<number> {
  const { dataDir, token } = await worldOf(size);
  const once = async () => {
    const { answered } = await startOnce({ dataDir, token, ask: averageOfAll });
    return answered.cpuMs ?? Number.NaN;
  };
  await once();
  return ratioOfProcesses(once);
}

async function importRatio(size: number): Promise<number> {
  const files = exportFiles(size);
  const importing = async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'dwell-bench-import-'));
    try {
      return (await importOnce(files, dataDir)).cpuMs;
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  };
  const parsing = async () => {
    const job = { path: 'references/parse-json.ts', job: files };
    const [found] = await runProgram(job, (line) => imported.parse(line));
    return found?.cpuMs ?? Number.NaN;
  };
  return ratioOfProcesses(importing, size > 1_000 ? 2 : 3, parsing);
}
