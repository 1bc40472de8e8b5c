import { millisecondsInDay, millisecondsInHour, millisecondsInSecond } from 'date-fns/constants';
import type { Logger } from 'pino';
import { isDue } from '../../concurrency/clock-check.ts';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { createPoller, repeatEvery } from '../../concurrency/poller.ts';
import { currentActor } from '../../concurrency/request-scope.ts';
import { type AuditEvent, type AuditFacts, QUESTION_ACTION } from '../../model/audit.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { AUDIT_SETTINGS } from '../../store/audited-kinds.ts';
import type { TenantStore } from '../../store/store.ts';
import type { AuditApi, AuditDays } from './audit-api.ts';

/** The parts of the audit log. */
interface AuditParts {
  readonly store: Pick<TenantStore, 'audit' | 'facts'>;
  /** True: questions are written, too. */
  readonly withQuestions: boolean;
  readonly days: AuditDays;
  readonly now: () => Instant;
  readonly log: Logger;
}

/** Notes questions, which are written together a little later. */
export interface QuestionLog {
  readonly isOn: boolean;
  /** Notes a question of a kind with what it was about and how it ended; waits for nothing. */
  note(kind: string, facts: AuditFacts): void;
}

/** The audit log of a running process. */
export interface RunningAudit extends AuditApi {
  readonly questions: QuestionLog;
  /** Writes an entry where the settings of the log are others than at the start before, and questions from then on. */
  start(): Promise<void>;
  /** To be called by the clock: removes entries that are older than they are kept. */
  tick(): Promise<void>;
  /** Writes the questions that are noted. */
  stop(): Promise<void>;
}

/** Questions that are noted and not written yet: those beyond are lost, which is logged. */
const MAX_NOTED = 10_000;

/** Entries that are removed at a time. */
const MAX_REMOVED = 1_000;

const STOP_MS = 5_000;

/** Opens the audit log: what leaves is written at once, questions once in a second, each batch in one turn of its own. */
export function createAudit({ store, withQuestions, days, now, log }: AuditParts): RunningAudit {
  const { audit } = store;
  let noted: AuditEvent[] = [];
  let lost = 0;
  let tidiedAt: Instant | null = null;
  let stopWriting = () => {};

  async function writeNoted(): Promise<void> {
    if (noted.length === 0) return;
    const batch = noted;
    noted = [];
    try {
      await audit.add(batch, { isDurable: false });
    } catch (error) {
      const all = [...batch, ...noted];
      noted = all.slice(0, MAX_NOTED);
      lost += all.length - noted.length;
      throw error;
    }
    if (lost > 0)
      log.error({ lost }, 'the audit log lacks questions, because the store could not be written to');
    lost = 0;
  }
  const writer = createPoller({
    poll: writeNoted,
    onProblem: (error) => log.warn({ err: error }, 'questions could not be written to the audit log yet'),
  });

  async function removeOld(areQuestions: boolean, maxDays: number | null): Promise<void> {
    if (maxDays === null) return;
    const before = now() - maxDays * millisecondsInDay;
    while ((await audit.remove({ before, areQuestions }, MAX_REMOVED)) === MAX_REMOVED) await yieldToOthers();
  }

  return {
    async permit({ rights }) {
      if (rights === 'admin') return;
      throw new AppError('admin-only', 'Forbidden', [
        'Only administrators can read the audit log. Use a token of one: npx dwell token --user NAME --admin.',
      ]);
    },
    read: audit.list,
    async reach() {
      const [change] = await audit.list({ withQuestions: false }, 1);
      const [question] = await audit.list({ action: QUESTION_ACTION }, 1);
      return { changes: change?.at ?? null, questions: question?.at ?? null, days };
    },
    leaving: (event) => audit.add([event]),
    questions: {
      isOn: withQuestions,
      note(kind, facts) {
        const actor = currentActor();
        const event = { subject: { kind: 'question', id: kind }, verb: 'answered', facts, actor } as const;
        if (noted.length < MAX_NOTED) noted.push({ ...event, at: now() });
        else lost += 1;
      },
    },
    async start() {
      const settings = JSON.stringify({
        AUDIT_QUESTIONS: withQuestions ? 'on' : 'off',
        AUDIT_DAYS: days.changes ?? 0,
        AUDIT_QUESTION_DAYS: days.questions,
      });
      const { facts } = store;
      if ((await facts.get(AUDIT_SETTINGS)) !== settings) await facts.change(AUDIT_SETTINGS, () => settings);
      if (withQuestions) stopWriting = repeatEvery(millisecondsInSecond, writer.kick);
    },
    async tick() {
      if (!isDue(now(), tidiedAt, millisecondsInHour)) return;
      tidiedAt = now();
      await removeOld(false, days.changes);
      await removeOld(true, days.questions);
    },
    async stop() {
      stopWriting();
      await writer.stop(STOP_MS);
      await writeNoted().catch((error: unknown) =>
        log.error({ err: error }, 'questions could not be written to the audit log'),
      );
    },
  };
}
