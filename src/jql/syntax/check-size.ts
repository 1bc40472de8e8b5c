import { badRequest } from '../../model/error.ts';

const LONGEST_QUERY = 10_000;
const DEEPEST_NESTING = 100;

/**
 * Refuses what the parser could choke on, before it sees it. A bracket and a NOT each nest one level; those of a
 * list count as well.
 */
export function checkSize(jql: string, name: string): void {
  if (jql.length > LONGEST_QUERY) {
    throw badRequest(
      `${name}: the query has ${jql.length} characters; allowed: at most ${LONGEST_QUERY} characters.`,
    );
  }
  // One count of negations per open bracket: they end with the clause they negate.
  const negations = [0];
  let depth = 0;
  let clauseMayStart = true;
  for (const { token, at } of tokensOf(jql)) {
    const word = token.toLowerCase();
    const negates: boolean = clauseMayStart && (word === 'not' || word === '!');
    if (word === '(') {
      negations.push(0);
      depth += 1;
    } else if (word === ')') {
      depth -= endClause(negations);
      if (negations.length > 1) {
        negations.pop();
        depth -= 1;
      }
      depth -= endClause(negations);
    } else if (negates) {
      negations.push((negations.pop() ?? 0) + 1);
      depth += 1;
    } else if (joins.includes(word)) depth -= endClause(negations);
    clauseMayStart = negates || word === '(' || joins.includes(word);
    if (depth > DEEPEST_NESTING) {
      throw badRequest(
        `${name}: '${token}' at position ${at} nests deeper than allowed; allowed: at most ${DEEPEST_NESTING} levels of brackets and NOTs.`,
      );
    }
  }
}

const joins: readonly string[] = ['and', 'or', '&', '&&', '|', '||', ','];

function endClause(negations: number[]): number {
  const ended = negations.pop() ?? 0;
  negations.push(0);
  return ended;
}

/** Quoted texts (an open one reaches to the end), signs and words; positions count characters. */
function* tokensOf(jql: string): Generator<{ readonly token: string; readonly at: number }> {
  const pattern = /"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[(),!]|[&|]+|(?:\\.|[^\s"'(),!&|\\])+|\\/gsu;
  let at = 0;
  let seen = 0;
  for (const { 0: token, index } of jql.matchAll(pattern)) {
    at += [...jql.slice(seen, index)].length;
    seen = index;
    yield { token, at };
  }
}
