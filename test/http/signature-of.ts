import { createHmac } from 'node:crypto';
import { webhookSecret } from '../support/stand-in-sync.ts';

/** What Jira sends beside an event; `false` is made with another secret. */
export function signatureOf(body: string, how: 'well' | 'falsely'): string {
  const secret = how === 'well' ? webhookSecret : 'another';
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
