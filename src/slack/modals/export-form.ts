import { z } from 'zod';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import type { ReportRequest } from '../../model/request.ts';
import { formats, oneOf, units } from '../../questions/parse/typed-words.ts';
import type { Place } from '../command.ts';
import { requestExport } from '../exports/request-export.ts';
import { requestOfWords } from '../exports/request-of-words.ts';
import { isDirect } from '../hours-here.ts';
import { notice } from '../messages/notice.ts';
import type { SlackModal, Submission } from '../modal.ts';
import type { ExportParts, QuestionParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { askAgain } from '../sharing/ask-again.ts';

const place = { channel: z.string(), threadTs: z.string().nullable() };
const subject = z.union([z.object({ key: z.string(), ...place }), z.object({ run: z.string(), ...place })]);

/** What the form was about. */
type Subject = Readonly<z.output<typeof subject>>;

/** The choices for a file of one issue, or of the list behind an answer, submitted: the file goes where the button was. */
export const exportForm: SlackModal<ExportParts> = {
  id: 'export-form',
  title: 'Export',
  meanwhile: 'Asking for the file…',
  placeOf: (submission) => placeOf(read(submission)),
  async answer(submission, parts) {
    const { chosen } = submission;
    const about = read(submission);
    const principal = await resolvePrincipal(submission.principal.account, parts);
    const asked = {
      format: oneOf(formats, chosen.format) ?? 'xlsx',
      unit: oneOf(units, chosen.unit) ?? 'hours',
      request: await requestOf(
        about,
        chosen.report,
        { account: submission.principal.account, principal },
        parts,
      ),
    };
    await requestExport(asked, submission, placeOf(about), parts);
    const file = 'key' in about ? `The file of ${escapeMrkdwn(about.key)}` : 'The file';
    const where = isDirect(about.channel) ? 'our conversation' : 'where you clicked';
    return notice(`${file} is on its way to ${where}.`);
  },
};

async function requestOf(
  about: Subject,
  chosen: string | undefined,
  { account, principal }: { readonly account: string; readonly principal: Principal },
  parts: QuestionParts,
): Promise<ReportRequest> {
  if ('key' in about) {
    const reportType = chosen ?? 'statusDuration';
    return requestOfWords({ reportType, selection: { by: 'keys', keys: [about.key] } }, principal);
  }
  const { question, asOf, account: first } = await parts.answers.run(about.run);
  // What would be another list for whoever did not ask first is refused to them, as it is in words.
  if (account !== first) await askAgain(about.run, account, parts);
  const request = await parts.answers.requestOf(principal, question, asOf);
  if (request === null)
    throw new AppError('nothing-to-export', 'There is no list behind this answer, so no file of it.');
  const reportType = chosen ?? request.reportType;
  return { ...request, reportType, statistic: null, page: null };
}

function placeOf({ channel, threadTs }: Subject): Place {
  return { channel, threadTs };
}

function read({ metadata }: Submission): Subject {
  return subject.parse(JSON.parse(metadata));
}
