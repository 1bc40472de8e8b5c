import { compileJql } from '../../src/jql/compile-jql.ts';
import type { JqlWorld } from '../../src/jql/jql.ts';
import { AppError } from '../../src/model/error.ts';

/** The keys of the issues for which a query holds. */
export function found(jql: string, world: JqlWorld): string[] {
  const query = compileJql(jql, world);
  return world.issues.filter((issue) => query.matches(issue) === 'yes').map(({ key }) => key);
}

/** The keys of the issues of which nobody can tell. */
export function undecided(jql: string, world: JqlWorld): string[] {
  const query = compileJql(jql, world);
  return world.issues.filter((issue) => query.matches(issue) === 'unknown').map(({ key }) => key);
}

/** The keys of all issues in the order a query asks for. */
export function ordered(jql: string, world: JqlWorld): string[] {
  const { order } = compileJql(jql, world);
  if (order === null) throw new Error(`No order in ${jql}`);
  return world.issues
    .map((issue) => ({ key: issue.key, keys: order.keysOf(issue) }))
    .toSorted((a, b) => order.compare(a.keys, b.keys))
    .map(({ key }) => key);
}

/** What a query is refused with; anything but a refusal is passed on. */
export function refusal(jql: string, world: JqlWorld, name = 'customjql'): string {
  try {
    compileJql(jql, world, name);
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-request') return error.details.join(' ');
    throw error;
  }
  throw new Error(`Not refused: ${jql}`);
}
