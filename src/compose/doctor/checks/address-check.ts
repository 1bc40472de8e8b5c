import { z } from 'zod';
import { fine, note } from '../../../cli/finding.ts';
import { systemCode } from '../../../model/system-error.ts';
import type { Check } from '../check.ts';

const PATIENCE_MS = 5_000;

const body = z.object({ status: z.literal('ok') });

/** The address that people and programs use. */
export const addressCheck: Check = {
  name: 'Address',
  needs: ['address'],
  async run({ config: { baseUrl, slack }, signal }) {
    if (baseUrl === null) {
      const isInSlack = slack.mode === 'socket' || slack.mode === 'http';
      return [
        isInSlack
          ? note('BASE_URL is not set, so messages in Slack have no links to Dwell')
          : note('BASE_URL is not set, so links begin with where Dwell listens'),
      ];
    }
    const signals = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      const response = await fetch(`${baseUrl}/healthz`, { signal: signals });
      const isDwell = body.safeParse(await response.json().catch(() => null)).success;
      if (isDwell) return [fine(`${baseUrl} answers`)];
      return [note(`${baseUrl} answers from here with HTTP ${response.status}, but not as Dwell`)];
    } catch (error) {
      const code = systemCode(error instanceof Error ? error.cause : error) ?? 'no answer';
      return [note(`${baseUrl} does not answer from here (${code}); it may from elsewhere`)];
    }
  },
};
