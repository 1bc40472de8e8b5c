import { currentActor } from '../../concurrency/request-scope.ts';
import type { AuditFacts } from '../../model/audit.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question } from '../../model/question.ts';
import type { Selection } from '../../model/request.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import { shorten } from '../../output/readable-text.ts';
import type { AnswersApi } from '../answers/answers-api.ts';
import { kindOf, provenancesOf } from '../answers/index.ts';
import type { ExportFile, ExportsApi } from '../exports/exports-api.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import type { ConsentApi } from '../tracker/sync-api.ts';
import type { AuditLeaving } from './audit-api.ts';
import type { QuestionLog } from './create-audit.ts';

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
    answer: (principal, question, ...rest) =>
      noted(about(question), parts, () => answers.answer(principal, question, ...rest), issuesOf),
    ask: (kind, principal, question, ...rest) =>
      noted(about(question), parts, () => answers.ask(kind, principal, question, ...rest), issuesOf),
    explain: (principal, question, ...rest) =>
      noted(
        about(question, 'why'),
        parts,
        () => answers.explain(principal, question, ...rest),
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
