import { chooseInPlace } from '../../../src/engine/columns/choose-rows.ts';
import { LoadedColumns } from '../../../src/engine/columns/loaded-columns.ts';
import { orderedSpan } from '../../../src/engine/columns/order-rows.ts';
import { rowsToLoad } from '../../../src/engine/columns/row-order.ts';
import { ASK, NO, UNKNOWN, YES } from '../../../src/engine/columns/row-predicates.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { issueThen } from '../../../src/selection/access/matching-rows.ts';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import type { JqlQuery, Loaded } from '../../../src/selection/jql/jql.ts';
import { atOnce } from '../../support/at-once.ts';
import type { World } from './a-world.ts';
import type { Answer } from './defined-answer.ts';

/** The keys of the issues for which a query holds. */
export function found(jql: string, world: World): string[] {
  return answered('yes', jql, world);
}

/** The keys of the issues of which it is unknown. */
export function undecided(jql: string, world: World): string[] {
  return answered('unknown', jql, world);
}

function answered(answer: Answer, jql: string, world: World): string[] {
  const query = compileJql(jql, world);
  return world.issues.filter((issue) => answerOf(issue, query, world) === answer).map(({ key }) => key);
}

/** Columns of issues that were loaded. */
export function loadedFrom(issues: readonly Issue[], { now, flows }: World): Loaded {
  return new LoadedColumns(issues.map((issue) => issueThen(issue, now, flows)));
}

/**
 * What a query answers over columns of the loaded issue; fails where the columns of all issues, once they say something of its
 * row, say something else.
 */
export function answerOf(issue: Issue, query: JqlQuery, world: World): Answer {
  const loaded = loadedFrom([issue], world);
  const truth = chosen(query.predicateOver(loaded), loaded.arrays, loaded.rows.slice(), world.now);
  const answer = answers[truth];
  if (answer === undefined) throw new Error(`${query.where}: ${issue.key} has no answer once it is loaded`);
  const ofColumns = columnTruth(issue, query, world);
  if (ofColumns !== ASK && ofColumns !== truth)
    throw new Error(`${query.where}: ${issue.key} is '${answer}', but columns say '${answers[ofColumns]}'`);
  return answer;
}

/** What columns say of an issue's row. */
export function columnTruth({ key }: Issue, { predicate }: JqlQuery, { columns, now }: World): number {
  // As a worker gets it.
  return chosen(structuredClone(predicate), columns.arrays(), Uint32Array.of(columns.rowOf(key)), now);
}

/** The truth of a predicate of a single row. */
function chosen(...input: Parameters<typeof chooseInPlace>): number {
  const { count, unknown, needsIssue } = chooseInPlace(...input);
  if (needsIssue.length > 0) return ASK;
  return count > 0 ? YES : unknown > 0 ? UNKNOWN : NO;
}

const answers: readonly Answer[] = ['no', 'unknown', 'yes'];

/** The keys of all issues in the order a query asks for, all of them loaded; fails where columns order them otherwise. */
export function ordered(jql: string, world: World): string[] {
  const { order } = compileJql(jql, world);
  if (order === null) throw new Error(`No order in ${jql}`);
  const { columns, now: asOf } = world;
  const arrays = columns.arrays();
  const rows = Uint32Array.from(world.issues, ({ key }) => columns.rowOf(key));
  const rankWith = (some: Uint32Array) => {
    const issues = world.issues.filter(({ key }) => some.includes(columns.rowOf(key)));
    const loaded = Uint32Array.from(issues, ({ key }) => columns.rowOf(key));
    return atOnce(order.rank({ rows: loaded, keys: order.keysIn(loadedFrom(issues, world)) }));
  };
  const byLoaded = atOnce(orderedSpan(rankWith(rows), arrays, rows, { asOf, from: 0, to: rows.length }));
  const keys = Array.from(byLoaded, (row) => columns.keyOf(row));
  const rank = rankWith(atOnce(rowsToLoad(atOnce(order.rank()), columns, rows, asOf)));
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
