import type { Issue } from '../model/issue.ts';
import type { Compilation } from './compilation.ts';
import { compileOrder } from './compile-order.ts';
import { compileWhere } from './compile-where.ts';
import type { Answer, JqlQuery, JqlWorld } from './jql.ts';
import { parseJql } from './syntax/parse-jql.ts';
import { NO, type Truth, UNKNOWN, YES } from './truth.ts';

/**
 * A query in Jira's language, parsed by Atlassian's grammar and made ready to be asked of the issues of a world. What
 * is wrong, not known or not supported is refused with its text and position; `name` is the parameter it came in. An
 * issue that did not exist yet then matches nothing.
 */
export function compileJql(jql: string, world: JqlWorld, name = 'customjql'): JqlQuery {
  const query = parseJql(jql, name);
  const compilation: Compilation = {
    world,
    name,
    within: [],
    filters: new Map(),
    personal: new Set(),
    compileWhere,
  };
  const condition = compileWhere(query, compilation);
  const { now } = world;
  return {
    where: query.whereText,
    orderBy: query.orderByText,
    dependsOnAsker: compilation.personal.size > 0,
    matches: (issue: Issue) => answers[issue.created > now ? NO : condition(issue)],
    order: compileOrder(query.orderBy, compilation),
  };
}

const answers: Readonly<Record<Truth, Answer>> = { [NO]: 'no', [UNKNOWN]: 'unknown', [YES]: 'yes' };
