import type { Digest } from '../../src/model/digest.ts';

/** A digest of Ada's, each workday at nine, due next at 100. */
export function aDigest(id: string, parts: Partial<Digest> = {}): Digest {
  return {
    id,
    title: `Digest ${id}`,
    question: { kind: 'mine', calendar: 'normalHours', timeZone: 'UTC' },
    place: { kind: 'channel', channel: 'C1' },
    schedule: { cron: '0 9 * * 1-5', timeZone: 'UTC' },
    workingDays: null,
    file: null,
    owner: 'U1',
    paused: false,
    createdAt: 1,
    nextDue: 100,
    lastRun: null,
    ...parts,
  };
}
