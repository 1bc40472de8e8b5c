import { hasPeers, runProgram } from '../measure.ts';
import { type Against, against, notInstalled } from '../rows.ts';
import type { World } from '../world/world-folder.ts';
import { inSql } from './in-sql.ts';
import { type ReferenceFound, referenceFound } from './reference-job.ts';

/** What the references found of one question. */
interface References {
  /** Held against our best time (ms). */
  against(own: number): Against[];
  /** Why our values by status contradict theirs; null where they do not, or nobody told values. */
  contradicts(figures: Readonly<Record<string, number>>): string | null;
}

/** SQLite takes minutes to write a million issues, and seconds or minutes to answer most questions about them. */
const MAX_IN_SQLITE = 100_000;

/** Asks memory, plain objects, SQLite and DuckDB the questions they know, each in a process of its own. */
export async function askReferences(
  { columns, issues }: World,
  questions: readonly string[],
): Promise<ReadonlyMap<string, References>> {
  const ask = async (
    path: string,
    asked: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ) =>
    runProgram({ path, job: { columns, questions: asked }, environment }, (line) =>
      referenceFound.parse(line),
    );
  const found: Readonly<Record<string, readonly ReferenceFound[]>> = {
    'memory read': await ask('references/ask-plainly.ts', questions, { REFERENCE: 'memory' }),
    'plain objects': await ask('references/ask-plainly.ts', questions),
    SQLite: issues <= MAX_IN_SQLITE ? await ask('references/ask-sqlite.ts', questions) : [],
    DuckDB: hasPeers() ? await ask('peers/duckdb.js', questions) : [],
  };
  return new Map(
    questions.map((name) => {
      const own = Object.entries(found).flatMap(([reference, some]) =>
        some.filter((one) => one.name === name).map((one) => ({ reference, one })),
      );
      const missing = !hasPeers() && inSql[name]?.duckdb !== undefined ? [notInstalled('DuckDB')] : [];
      return [
        name,
        {
          against: (least) => [
            ...own.map(({ reference, one }) => against(reference, one.least, least)),
            ...missing,
          ],
          contradicts: (figures) =>
            contradiction(own.find(({ reference }) => reference === 'plain objects')?.one, figures),
        },
      ];
    }),
  );
}

/** The first value of each of their rows is a status, the second its average. */
function contradiction(
  reference: ReferenceFound | undefined,
  figures: Readonly<Record<string, number>>,
): string | null {
  for (const [status = 0, average = 0] of reference?.rows ?? []) {
    const ours = figures[String(status)];
    if (ours !== undefined && Math.abs(ours - average) > 1e-6 * average + 1)
      return `${ours} in status ${status}, ${average} by plain objects`;
  }
  return null;
}
