import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { machineText } from '../report.ts';
import { figureText } from '../rows.ts';
import { commitText } from '../state.ts';
import { measureRatios } from './measure-ratios.ts';
import { bestOf, type Compared, compareRatios, MAX_GROWTH, missingFrom } from './ratios.ts';

const file = join(import.meta.dirname, '../ratios.json');
const keptForm = z.object({ measured: z.string(), ratios: z.record(z.string(), z.number()) });

/**
 * Holds the ratios of small sizes against those kept in the repository, and says whether no question has become slower. A slower one is
 * measured once more before it counts.
 */
export async function checkRatios(): Promise<boolean> {
  const { measured, ratios: kept } = keptForm.parse(JSON.parse(readFileSync(file, 'utf8')));
  console.log(`Processor time as a multiple of a reference loop, against ${measured}\n`);
  let found = await measureRatios(null);
  const slower = compareRatios(kept, found).filter(({ verdict }) => verdict === 'slower');
  if (slower.length > 0) {
    console.log(`Measured once more: ${slower.map(({ question }) => question).join('; ')}.\n`);
    found = bestOf(found, await measureRatios(new Set(slower.map(({ question }) => question))));
  }
  const all = compareRatios(kept, found);
  for (const one of all) console.log(`  ${lineOf(one)}`);
  const problems = [
    ...all.flatMap(problemOf),
    ...missingFrom(kept, found).map((one) => `Not measured: ${one}.`),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) console.log(`\nNo question takes more than ${MAX_GROWTH} times its kept ratio.`);
  return problems.length === 0;
}

/** Measures twice, and keeps the mean of the two ratios of each question. Refused in a tree with changes: nobody could measure it again. */
export async function keepRatios(): Promise<void> {
  if (commitText().includes('changes'))
    throw new Error('The tree has changes. Commit them, then keep ratios.');
  const [one, other] = [await measureRatios(null), await measureRatios(null)];
  const means = Object.entries(one).map(([question, ratio]) => {
    const mean = (ratio + (other[question] ?? ratio)) / 2;
    return [question, Number(mean.toPrecision(3))] as const;
  });
  const kept: z.output<typeof keptForm> = {
    measured: `${machineText()}, ${commitText()}`,
    ratios: Object.fromEntries(means),
  };
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  console.log(`Kept ${means.length} ratios in bench/ratios.json.`);
}

function lineOf({ question, kept, found, verdict }: Compared): string {
  const beside = kept === null ? 'none kept' : `kept ${figureText(kept)}`;
  const hint = verdict === 'faster' ? ', much faster: keep it with --keep' : '';
  return `${question}: ${figureText(found)} (${beside}${hint})`;
}

function problemOf({ question, kept, found, verdict }: Compared): readonly string[] {
  if (verdict === 'unknown') return [`No ratio is kept for ${question}. Keep one: npm run bench -- --keep`];
  if (verdict !== 'slower' || kept === null) return [];
  const times = figureText(found / kept);
  return [`Slower: ${question}: ${figureText(found)}, kept ${figureText(kept)}: ${times} ×.`];
}
