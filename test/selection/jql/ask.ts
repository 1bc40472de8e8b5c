import { chooseInPlace } from '../../../src/engine/columns/choose-rows.ts';
import { orderedSpan } from '../../../src/engine/columns/order-rows.ts';
import { rowsToAsk } from '../../../src/engine/columns/row-order.ts';
import { ASK, NO, UNKNOWN, YES } from '../../../src/engine/columns/row-predicates.ts';
import { atOnce } from '../../../src/engine/columns/sort-rows.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import type { JqlQuery, Verdict } from '../../../src/selection/jql/jql.ts';
import type { World } from './a-world.ts';

/** The keys of the issues for which a query holds. */
export function found(jql: string, world: World): string[] {
  return answered('yes', jql, world);
}

/** The keys of the issues of which nobody can tell. */
export function undecided(jql: string, world: World): string[] {
  return answered('unknown', jql, world);
}

function answered(answer: Verdict, jql: string, world: World): string[] {
  const query = compileJql(jql, world);
  return world.issues.filter((issue) => answerOf(issue, query, world) === answer).map(({ key }) => key);
}

/** What a query answers; fails where columns, once they say something of the issue's row, say something else. */
export function answerOf(issue: Issue, query: JqlQuery, world: World): Verdict {
  const answer = query.matches(issue);
  const said = saidOf(issue, query, world);
  if (said !== ASK && said !== answers.indexOf(answer))
    throw new Error(`${query.where}: ${issue.key} is '${answer}', but columns say '${answers[said]}'`);
  return answer;
}

/** What columns say of an issue's row. */
export function saidOf({ key }: Issue, { predicate }: JqlQuery, { columns, now }: World): number {
  const rows = Uint32Array.of(columns.rowOf(key));
  // As a worker gets it.
  const { count, unknown, needsIssue } = chooseInPlace(
    structuredClone(predicate),
    columns.arrays(),
    rows,
    now,
  );
  if (needsIssue.length > 0) return ASK;
  return count > 0 ? YES : unknown > 0 ? UNKNOWN : NO;
}

const answers: readonly Verdict[] = ['no', 'unknown', 'yes'];

/** The keys of all issues in the order a query asks for; fails where columns order them otherwise. */
export function ordered(jql: string, world: World): string[] {
  const { order } = compileJql(jql, world);
  if (order === null) throw new Error(`No order in ${jql}`);
  const keys = world.issues
    .map((issue) => ({ key: issue.key, keys: order.keysOf(issue) }))
    .toSorted((a, b) => order.compare(a.keys, b.keys))
    .map(({ key }) => key);
  const { columns, now: asOf } = world;
  const arrays = columns.arrays();
  const rows = Uint32Array.from(world.issues, ({ key }) => columns.rowOf(key));
  const asked = atOnce(rowsToAsk(atOnce(order.rank()), columns, rows, asOf));
  const askedKeys = Array.from(asked, (row) => {
    const issue = world.issues.find(({ key }) => key === columns.keyOf(row));
    return issue === undefined ? [] : order.keysOf(issue);
  });
  const rank = atOnce(order.rank({ rows: asked, keys: askedKeys }));
  for (const [from, to] of [
    [0, 1],
    [1, 3],
    [0, rows.length],
  ] as const) {
    const found = [...atOnce(orderedSpan(rank, arrays, rows, { asOf, from, to }))];
    const span = found.map((row) => columns.keyOf(row));
    if (span.join() !== keys.slice(from, to).join())
      throw new Error(`${jql}: ${keys.join()}, but by columns ${span.join()} from ${from} to ${to}`);
  }
  return keys;
}

/** What a query is refused with; anything but a refusal is passed on. */
export function refusal(jql: string, world: World, name = 'customjql'): string {
  try {
    compileJql(jql, world, name);
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-request') return error.details.join(' ');
    throw error;
  }
  throw new Error(`Not refused: ${jql}`);
}
