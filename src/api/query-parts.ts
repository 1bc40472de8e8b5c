import { parseJql } from '../jql/parse-jql.ts';
import { AppError } from '../model/error.ts';

/** A query in two: what chooses issues, and what orders them (`ORDER BY …`); empty where there is none. */
interface QueryParts {
  readonly filter: string;
  readonly order: string;
}

/** Takes a query apart by the grammar of JQL. One that cannot be read stays whole: it is refused wherever it is asked. */
export function queryParts(jql: string): QueryParts {
  const whole = { filter: jql.trim(), order: '' };
  if (!/order/i.test(jql)) return whole;
  try {
    const { whereText, orderByText } = parseJql(jql);
    return { filter: whereText, order: orderByText ?? '' };
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-request') return whole;
    throw error;
  }
}
