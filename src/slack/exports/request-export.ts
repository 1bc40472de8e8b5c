import type { WeeklyQuestion } from '../../api/answers/weekly/nine-weeks.ts';
import { weekBook, weekIssues } from '../../api/answers/weekly/week-book.ts';
import { isWeeklyQuestion, weeklyKind } from '../../api/answers/weekly/weekly-kind.ts';
import { formatsToUse } from '../../api/settings/settings-api.ts';
import { AppError, badRequestAs } from '../../model/error.ts';
import type { ExportInput } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question } from '../../model/question.ts';
import type { AudienceScope, ReportRequest } from '../../model/request.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { issuesText } from '../../output/subject-words.ts';
import type { Person, Place } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import type { AudienceParts, QuestionParts, SlackParts } from '../app/parts.ts';
import { explainRefusal, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import type { Format, Unit } from '../ask/grammar/typed-words.ts';
import type { Message } from '../blocks/message.ts';
import { audienceProblem, projectsForAll } from '../channels/audience.ts';
import { resolvePrincipal } from '../people/accounts.ts';
import {
  commentText,
  completeUpload,
  conversationId,
  exportTitle,
  newNote,
  preparing,
  readNote,
  uploadFile,
} from './export-notifier.ts';

/** The list behind a question as a request for a file. */
export async function listBehind(
  question: Question,
  asOf: Instant | null,
  account: string,
  parts: QuestionParts,
): Promise<ReportRequest> {
  const request = await parts.answers.requestOf(await resolvePrincipal(account, parts), question, asOf);
  if (request === null) throw badRequestAs('nothing-to-export', 'This answer has no issues to export.');
  return { ...request, statistic: null, page: null };
}

/** The conversation of a person with the app. */
export function directPlace({ principal: { account } }: Pick<Person, 'principal'>): Place {
  return { channel: account, threadTs: null };
}

/** A place in a sentence (mrkdwn). */
export function placeText(channel: string): string {
  return isDirect(channel) ? 'our direct messages' : `<#${channel}>`;
}

interface ListFile {
  readonly format: Format;
  readonly unit: Unit;
  readonly request: ReportRequest;
}

/** The state of an export so far, in words; `isThere`: its file is where it was to be posted. */
interface PostedExport {
  readonly isThere: boolean;
  readonly message: Message;
}

/** A file that is ready this soon needs no line that it is being made. */
const SOON_MS = 2_000;
const LOOK_MS = 50;

/**
 * Queues an export whose file is posted in a place, and waits a little for it. What keeps it from beginning is an AppError
 * that says what to do; `not-for-this-channel` where not everyone there can see what is in it.
 */
export async function requestExport(
  { format, unit, request: whole }: ListFile,
  { principal: { account: user }, userName }: Person,
  place: Place,
  parts: AudienceParts & Pick<SlackParts, 'exports' | 'settings' | 'wait'>,
): Promise<PostedExport> {
  const { exports, reporting, settings, wait } = parts;
  const request = await requestForAll(whole, place.channel, parts);
  const file = { format, unit, dayLength: 'businessDays', request } as const;
  const input = await exportInput(file, userName, settings);
  if ((await exports.count(input)) === 0)
    throw badRequestAs('nothing-to-export', 'No issues match, so there is nothing to export.');
  await checkAudience(await reporting.audienceScope(request), place, parts);
  const note = newNote(place, { user, userName });
  const queued = await exports.queue(input, { door: 'slack', note, pending: true });
  for (let waited = 0; waited < SOON_MS; waited += LOOK_MS) {
    const { delivery } = await exports.get(request.principal, queued.id);
    const { outcome = '', channel = '' } = readNote(delivery) ?? {};
    if (outcome === 'shared') {
      const isThere = isDirect(channel) === isDirect(place.channel);
      return { isThere, message: notice(`The file is in ${placeText(channel)}.`) };
    }
    if (outcome === 'explained' || delivery?.pending === false)
      return {
        isThere: false,
        message: notice("I couldn't create the file. The reason is in our direct messages."),
      };
    await wait(LOOK_MS);
  }
  const title = `${exportTitle(input, reporting)} as ${input.type}`;
  return { isThere: false, message: preparing(title, placeText(place.channel), queued.id) };
}

/** A request for a file that everyone in a channel can see, without links to issues that they cannot see. */
async function requestForAll(
  request: ReportRequest,
  channel: string,
  parts: AudienceParts,
): Promise<ReportRequest> {
  const scope = await parts.reporting.audienceScope(request);
  if (scope === null || (await audienceProblem(scope, channel, parts)).length === 0) return request;
  return { ...request, linksWithin: await projectsForAll(scope, channel, parts) };
}

/** The file of a list as it is queued for a person. */
export async function exportInput(
  { format, request, ...durations }: ListFile & Pick<ExportInput, 'dayLength'>,
  userName: string,
  settings: SlackParts['settings'],
): Promise<ExportInput> {
  const { formats, notes } = await formatsToUse(settings);
  return {
    principalName: userName,
    type: typeOf[format],
    request,
    ...durations,
    ...withNotes({ formats }, notes),
    denominator: 'nonNull',
    deviation: 'population',
    byteOrderMark: format === 'csv',
    withProvenance: false,
    withCycleTime: true,
  };
}

/** `not-for-this-channel` where not everyone who reads in a place can see what is in a file. */
async function checkAudience(
  scope: AudienceScope | null,
  { channel }: Place,
  parts: AudienceParts,
): Promise<void> {
  const reasons = await audienceProblem(scope, channel, parts);
  if (reasons.length > 0)
    throw new AppError('not-for-this-channel', "This file can't be posted in this channel.", reasons);
}

const typeOf = { xlsx: 'XLSX', xls: 'XLS', csv: 'CSV', json: 'JSON' } as const;

type FileParts = QuestionParts &
  AudienceParts &
  Pick<SlackParts, 'exports' | 'settings' | 'audit' | 'wait' | 'web' | 'apiUrl'>;

/** A file of what a question is about, as of an instant (null: now). */
interface QuestionFile<Asked extends Question> {
  readonly question: Asked;
  readonly asOf: Instant | null;
  readonly format: Format;
  readonly unit: Unit;
}

/** Posts a file of what a question is about: of a week its figures, of anything else the list behind it. */
export async function exportQuestion(
  { question, asOf, ...file }: QuestionFile<Question>,
  person: Person,
  place: Place,
  parts: FileParts,
): Promise<PostedExport> {
  if (isWeeklyQuestion(question)) return postWeekFigures({ ...file, question, asOf }, person, place, parts);
  const request = await listBehind(question, asOf, person.principal.account, parts);
  return requestExport({ ...file, request }, person, place, parts);
}

/** Posts the figures and the finished issues of a week as a file; they are few, so it is made at once. Fails as a queued export would. */
async function postWeekFigures(
  { question, asOf, format, unit }: QuestionFile<WeeklyQuestion>,
  { principal: { account: user }, userName }: Person,
  place: Place,
  parts: FileParts,
): Promise<PostedExport> {
  const { answers, exports, reporting, settings, web } = parts;
  const principal = await resolvePrincipal(user, parts);
  const whole = await answers.ask(weeklyKind, principal, question, asOf);
  const scope = await answers.audienceScope(principal, whole);
  const linksWithin = scope === null ? [] : await projectsForAll(scope, place.channel, parts);
  const isForAll = (await audienceProblem(scope, place.channel, parts)).length === 0;
  const answer = isForAll
    ? whole
    : await answers.ask(weeklyKind, principal, question, whole.asOf, undefined, linksWithin);
  await checkAudience(await answers.audienceScope(principal, answer), place, parts);
  const { week, provenance } = answer.value;
  const { formats } = await formatsToUse(settings);
  const issues = await weekIssues(question, principal, answer.asOf, reporting);
  const book = weekBook(answer.value, issues, question.selection, { unit, formats });
  const file = await exports.write(book, format);
  try {
    const channel = await conversationId(place.channel, web);
    const title = `Figures of week ${week.id} of ${issuesText(question.selection)}`;
    const note = newNote({ ...place, channel }, { user, userName });
    const shownIn = `Durations in ${format === 'json' ? 'milliseconds' : unit}`;
    const comment = commentText(title, format.toUpperCase(), shownIn, provenance, note);
    const id = await uploadFile(file, { id: file.fileName, channel, issues: provenance.issues }, parts);
    await completeUpload(id, { title, comment }, { ...place, channel }, web);
    return { isThere: true, message: notice(`The file is in ${placeText(channel)}.`) };
  } catch (error) {
    const code = refusalOf(error);
    throw code === null ? tryAgain(error) : new AppError('refused-by-slack', explainRefusal(code, error));
  } finally {
    await file.close();
  }
}
