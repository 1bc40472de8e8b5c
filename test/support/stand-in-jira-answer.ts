/** What a server says. */
export interface JiraAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects that were read for it; people and groups cost twice as much. */
  readonly objects?: { readonly count: number; readonly identities?: boolean };
}

/** A request that has passed the door. */
export interface JiraAsked {
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One thing that can be asked; `path` holds `:id` where something stands that is handed to `answer`. */
export interface JiraRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly api: 'platform' | 'software';
  answer(asked: JiraAsked, id: string): JiraAnswer;
}

export function fine(body: unknown, count = 0, identities = false): JiraAnswer {
  return { status: 200, body, objects: { count, identities } };
}

/** Jira's own way of saying no. */
export function refused(status: number, ...errorMessages: readonly string[]): JiraAnswer {
  return { status, body: { errorMessages, errors: {} } };
}

export const noIssue = () => refused(404, 'Issue does not exist or you do not have permission to see it.');

export function numberIn(value: unknown, otherwise: number): number {
  const told = typeof value === 'string' ? Number(value) : value;
  return typeof told === 'number' && Number.isFinite(told) ? told : otherwise;
}

export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').map((one) => one.trim());
  return Array.isArray(value)
    ? value.filter((one) => ['string', 'number'].includes(typeof one)).map(String)
    : [];
}

export function asked(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? Reflect.get(value, name) : undefined;
}
