import { millisecondsInDay, millisecondsInHour, millisecondsInSecond } from 'date-fns/constants';
import type { Logger } from 'pino';
import { isDue } from '../../concurrency/clock-check.ts';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { createPoller, repeatEvery } from '../../concurrency/poller.ts';
import { currentActor } from '../../concurrency/request-scope.ts';
import { type AuditEvent, type AuditFacts, QUESTION_ACTION } from '../../model/audit.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question } from '../../model/question.ts';
import type { Selection } from '../../model/request.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import { shorten } from '../../output/readable-text.ts';
import { AUDIT_SETTINGS } from '../../store/audited-kinds.ts';
import type { TenantStore } from '../../store/store.ts';
import type { AnswersApi } from '../answers/answers-api.ts';
import { kindOf, provenancesOf } from '../answers/index.ts';
import type { ExportFile, ExportsApi } from '../exports/exports-api.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import type { ConsentApi } from '../tracker/sync-api.ts';
import type { AuditApi, AuditDays, AuditLeaving } from './audit-api.ts';

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
interface QuestionLog {
  readonly isOn: boolean;
  /** Notes a question of a kind with what it was about and how it ended; waits for nothing. */
  note(kind: string, facts: AuditFacts): void;
}

/** The audit log of a running process. */
interface RunningAudit extends AuditApi {
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

/** The same exports, each file of which is in the audit log before it is handed out. */
export function auditedExports<Exports extends ExportsApi>(exports: Exports, audit: AuditLeaving): Exports {
  type Closable = { close(): Promise<void> };

  /** Writes that a file was made; a file that cannot be written of is taken away again. */
  async function made<File extends Closable>(file: File, id: string, facts: AuditFacts): Promise<File> {
    await audit.leaving({ subject: { kind: 'file', id }, verb: 'created', facts }).catch(async (error) => {
      await file.close();
      throw error;
    });
    return file;
  }

  async function downloaded<File extends Pick<ExportFile, 'fileName' | 'provenance'>>(
    file: File,
    id: string | null,
  ): Promise<File> {
    const { fileName: name, provenance } = file;
    const facts = { name, issues: provenance.issues };
    await audit.leaving({ subject: { kind: 'file', id: id ?? name }, verb: 'downloaded', facts });
    return file;
  }

  return {
    ...exports,
    async now(input, signal) {
      const file = await exports.now(input, signal);
      const { reportType, selection } = input.request;
      const { issues } = file.provenance;
      return made(file, file.fileName, {
        type: input.type,
        report: reportType,
        selection: selection.by,
        project: selection.by === 'project' ? selection.project : null,
        issues,
      });
    },
    async write(book, format) {
      const file = await exports.write(book, format);
      return made(file, file.fileName, { type: format });
    },
    file: async (principal, id) => downloaded(await exports.file(principal, id), id),
    fileByTicket: async (ticket) => downloaded(await exports.fileByTicket(ticket), null),
  };
}

/** The same consent, with an entry once Dwell can read the tracker by it. */
export function auditedConsent(consent: ConsentApi, audit: AuditLeaving): ConsentApi {
  return {
    ...consent,
    async accept(answer) {
      const accepted = await consent.accept(answer);
      await audit.leaving({ subject: { kind: 'tracker', id: accepted.site }, verb: 'connected', facts: {} });
      return accepted;
    },
  };
}

/** The parts by which questions are noted. */
interface NotedParts {
  readonly log: QuestionLog;
  readonly now: () => Instant;
}

/** The same answers, with each question noted that a person asks. */
export function notedAnswers(answers: AnswersApi, parts: NotedParts): AnswersApi {
  if (!parts.log.isOn) return answers;
  const about = (question: Question, kind = question.kind): NotedQuestion => {
    const { selections, fileFacts } = kindOf(question);
    const report = fileFacts?.(question).reportType ?? null;
    return { kind, report, selections: selections(question) };
  };
  return {
    ...answers,
    answer: (principal, question, ...others) =>
      noted(about(question), parts, () => answers.answer(principal, question, ...others), issuesOf),
    ask: (kind, principal, question, ...others) =>
      noted(about(question), parts, () => answers.ask(kind, principal, question, ...others), issuesOf),
    explain: (principal, question, ...others) =>
      noted(
        about(question, 'why'),
        parts,
        () => answers.explain(principal, question, ...others),
        () => null,
      ),
  };
}

/** The same reports, with each one noted that a person asks for. */
export function notedReports(reporting: ReportingApi, parts: NotedParts): ReportingApi {
  if (!parts.log.isOn) return reporting;
  return {
    ...reporting,
    report: (request) => {
      const question = { kind: 'report', report: request.reportType, selections: [request.selection] };
      return noted(
        question,
        parts,
        () => reporting.report(request),
        ({ provenance }) => provenance.issues,
      );
    },
  };
}

/** A question as it is noted: its kind, its report type (null: it has none) and the issues it is about. */
interface NotedQuestion {
  readonly kind: string;
  readonly report: string | null;
  readonly selections: readonly Selection[];
}

/** Notes how the answer to a question ended and how many issues are in it (null: unknown), unless no person asked. */
async function noted<Result>(
  { kind, report, selections }: NotedQuestion,
  { log, now }: NotedParts,
  answer: () => Promise<Result>,
  issuesIn: (result: Result) => number | null,
): Promise<Result> {
  const { via } = currentActor();
  const begin = now();
  const note = (status: string, issues: number | null) => {
    if (via === 'clock' || via === 'system') return;
    log.note(kind, { report, ...factsOf(selections), issues, status, ms: now() - begin });
  };
  try {
    const result = await answer();
    note('ok', issuesIn(result));
    return result;
  } catch (error) {
    note(error instanceof AppError ? error.reason : 'failed', null);
    throw error;
  }
}

const MAX_SELECTIONS = 5;
const MAX_LENGTH = 300;

/** The selections in words; users that are selected are among the people. */
function factsOf(selections: readonly Selection[]): AuditFacts {
  const some = selections.slice(0, MAX_SELECTIONS);
  const users = some.flatMap((one) => (one.by === 'user' ? [one.user] : []));
  return {
    selection: some
      .filter(({ by }) => by !== 'user')
      .map((one) => shorten(one.by === 'jql' ? `JQL ${one.jql}` : selectionText(one), MAX_LENGTH)),
    ...(users.length > 0 && { people: { assignees: users } }),
  };
}

function issuesOf(answer: Parameters<typeof provenancesOf>[0]): number | null {
  return answer.contents?.issues ?? provenancesOf(answer)[0]?.issues ?? null;
}
