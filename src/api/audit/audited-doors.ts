import { currentActor } from '../../concurrency/actor-scope.ts';
import type { AuditFacts } from '../../model/audit.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Selection } from '../../model/request.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import { shorten } from '../../output/readable-text.ts';
import type { AnswersApi } from '../answers/answers-api.ts';
import { kindOf, provenancesOf } from '../answers/index.ts';
import type { ExportFile, ExportsApi } from '../exports/exports-api.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
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

/** The same answers, with each question noted that a person asks. */
export function notedAnswers(answers: AnswersApi, log: QuestionLog, now: () => Instant): AnswersApi {
  if (!log.isOn) return answers;
  return {
    ...answers,
    answer: (principal, question, ...rest) =>
      noted(log, now, question.kind, kindOf(question).selections(question), async () => {
        const answer = await answers.answer(principal, question, ...rest);
        return [answer, issuesOf(answer)];
      }),
    ask: (kind, principal, question, ...rest) =>
      noted(log, now, kind.kind, kind.selections(question), async () => {
        const answer = await answers.ask(kind, principal, question, ...rest);
        return [answer, issuesOf(answer)];
      }),
    explain: (principal, question, asOf, figure) =>
      noted(log, now, 'why', kindOf(question).selections(question), async () => [
        await answers.explain(principal, question, asOf, figure),
        null,
      ]),
  };
}

/** The same reports, with each one noted that a person asks for. */
export function notedReports(reporting: ReportingApi, log: QuestionLog, now: () => Instant): ReportingApi {
  if (!log.isOn) return reporting;
  return {
    ...reporting,
    report: (request) =>
      noted(log, now, request.reportType, [request.selection], async () => {
        const table = await reporting.report(request);
        return [table, table.provenance.issues];
      }),
  };
}

const MAX_SELECTIONS = 5;
const MAX_LENGTH = 300;

/** Notes how the answer to a question ended and how many issues are in it, unless no person asked. */
async function noted<Result>(
  log: QuestionLog,
  now: () => Instant,
  kind: string,
  selections: readonly Selection[],
  answer: () => Promise<readonly [Result, issues: number | null]>,
): Promise<Result> {
  const { via } = currentActor();
  const begin = now();
  const note = (status: string, issues: number | null) => {
    if (via === 'clock' || via === 'system') return;
    log.note(kind, { ...factsOf(selections), issues, status, ms: now() - begin });
  };
  try {
    const [result, issues] = await answer();
    note('ok', issues);
    return result;
  } catch (error) {
    note(error instanceof AppError ? error.reason : 'failed', null);
    throw error;
  }
}

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
