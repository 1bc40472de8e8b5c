import { WebAPIRateLimitedError } from '@slack/web-api';
import { millisecondsInHour } from 'date-fns/constants';
import type { DigestNotifier, DueDigest } from '../../api/digests/digests-api.ts';
import { AppError } from '../../model/error.ts';
import type { DigestPostParts } from '../parts.ts';
import { bringPeriod } from './bring-period.ts';
import { type DigestNote, readDigestNote } from './digest-note.ts';
import { digestPrincipal } from './digest-principal.ts';
import type { Ledger } from './post-once.ts';
import { tellTrouble } from './tell-trouble.ts';

/** Slack does not mean to be left alone for longer; a clock may have been set back. */
const LONGEST_WAIT_MS = millisecondsInHour;

/** Posts digests into channels and conversations. */
export function createDigestNotifier(parts: DigestPostParts): DigestNotifier {
  const { now } = parts;
  return {
    principalOf: (account) => digestPrincipal(account, parts),
    posted({ note }) {
      const { ts, trying, unsure } = readDigestNote(note);
      if (ts !== '') return 'yes';
      return trying !== '' || unsure === 'yes' ? 'perhaps' : 'no';
    },
    async deliver(due, keep) {
      const ledger = ledgerOf(due, keep);
      const until = Number(ledger.note().waitUntil);
      if (until > now() && until <= now() + LONGEST_WAIT_MS) return until;
      try {
        await bringPeriod(due, ledger, parts);
        return null;
      } catch (error) {
        const pauseMs = pauseOf(error);
        if (pauseMs === null) throw error;
        return now() + Math.min(pauseMs, LONGEST_WAIT_MS);
      }
    },
    notifyOwner: (digest, run, triedAt) => tellTrouble(digest, run, triedAt, parts),
  };
}

/** How long (ms) Slack wants to be left alone; null where that is not what went wrong. */
function pauseOf(error: unknown): number | null {
  if (!(error instanceof AppError) || error.code !== 'unavailable') return null;
  return error.cause instanceof WebAPIRateLimitedError ? 1000 * error.cause.retryAfter : null;
}

function ledgerOf({ run }: DueDigest, keep: Parameters<DigestNotifier['deliver']>[1]): Ledger {
  let note: DigestNote = readDigestNote(run.note);
  return {
    note: () => note,
    async keep(changes) {
      const changed = { ...note, ...changes };
      await keep(changed);
      note = changed;
    },
  };
}
