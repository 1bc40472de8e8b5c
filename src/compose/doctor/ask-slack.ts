import { z } from 'zod';
import { AppError, systemCode } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';

/** Slack's Web API, with a slash at the end. */
export const SLACK_API = 'https://slack.com/api/';

/** The header `Date` has whole seconds. */
const DATE_STEP_MS = 1_000;

const body = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  team: z.string().optional(),
  team_id: z.string().optional(),
  user: z.string().optional(),
});

/** An answer of Slack to a method that changes nothing. */
export interface SlackAnswer extends z.output<typeof body> {
  /** The scopes of the token; null where Slack does not say. */
  readonly scopes: readonly string[] | null;
  /** The time (ms) by which Slack's clock is ahead at least, however long the answer took; null where it does not say. */
  readonly aheadMs: number | null;
}

/** Calls a method of Slack that needs no parameters. Fails with an `AppError` where no Slack answers. */
export async function askSlack(
  method: string,
  {
    apiUrl,
    token,
    now,
    signal,
  }: {
    readonly apiUrl: string;
    readonly token: string;
    readonly now: () => Instant;
    readonly signal: AbortSignal;
  },
): Promise<SlackAnswer> {
  const before = now();
  const response = await fetch(`${apiUrl}${method}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    signal,
  }).catch((cause: unknown) => {
    const code = systemCode(cause instanceof Error ? cause.cause : cause);
    throw new AppError('slack-unavailable', `Slack cannot be reached (${code ?? 'no answer'}).`, [], {
      cause,
    });
  });
  const after = now();
  const read = body.safeParse(await response.json().catch(() => null));
  if (!read.success) {
    const what = `The address of Slack answers with HTTP ${response.status} and no words of Slack.`;
    throw new AppError('slack-unavailable', what);
  }
  const date = Date.parse(response.headers.get('date') ?? '');
  return {
    ...read.data,
    scopes:
      response.headers
        .get('x-oauth-scopes')
        ?.split(',')
        .map((scope) => scope.trim()) ?? null,
    aheadMs: Number.isNaN(date)
      ? null
      : Math.max(0, date - after) + Math.min(0, date + DATE_STEP_MS - before),
  };
}
