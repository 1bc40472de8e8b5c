import type { DigestPostman, DueDigest } from '../../api/digests.ts';
import { AppError } from '../../model/error.ts';
import { tellDirectly } from '../tell-directly.ts';
import { bringPeriod } from './bring-period.ts';
import { digestAsker } from './digest-asker.ts';
import type { DigestDoor } from './digest-door.ts';
import { type DigestNote, readDigestNote } from './digest-note.ts';
import type { Ledger } from './post-once.ts';
import { troubleMessage } from './trouble-message.ts';

/** Slack does not mean to be left alone for longer; a clock may have been set back. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** Posts digests into channels and conversations. */
export function createDigestPostman(parts: DigestDoor): DigestPostman {
  return {
    askerOf: (account) => digestAsker(account, parts),
    async deliver(due, keep) {
      const ledger = ledgerOf(due, keep);
      const left = Number(ledger.note().waitUntil) - parts.now();
      if (left > 0 && left <= LONGEST_WAIT_MS) {
        throw new AppError('unavailable', 'Slack wants to be left alone for a while.');
      }
      await bringPeriod(due, ledger, parts);
    },
    async tellOwner(digest, run) {
      await tellDirectly(digest.owner, troubleMessage(digest, run), parts);
    },
  };
}

function ledgerOf({ run }: DueDigest, keep: Parameters<DigestPostman['deliver']>[1]): Ledger {
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
