import { formatsToUse } from '../../api/settings/settings-in-use.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question } from '../../model/question.ts';
import { weekBook } from '../../output/week-book.ts';
import type { Format, Unit } from '../../questions/parse/typed-words.ts';
import { issuesText } from '../../questions/view/subject-words.ts';
import type { WeeklyQuestion } from '../../questions/weekly/nine-weeks.ts';
import { isWeeklyQuestion, weeklyKind } from '../../questions/weekly/weekly-kind.ts';
import type { Person, Place } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { AudienceParts, QuestionParts, SlackParts } from '../app/parts.ts';
import { explainRefusal, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { resolvePrincipal } from '../people/accounts.ts';
import { commentText, newNote } from './export-messages.ts';
import { completeUpload, conversationId, uploadFile } from './export-notifier.ts';
import { checkAudience, listBehind, type PostedExport, placeText, requestExport } from './request-export.ts';

/** For making a file and posting it. */
type FileParts = QuestionParts &
  AudienceParts &
  Pick<SlackParts, 'exports' | 'settings' | 'wait' | 'web' | 'apiUrl'>;

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

/** Posts the figures of a week as a file; they are few, so it is made at once. Fails as a queued export would. */
async function postWeekFigures(
  { question, asOf, format, unit }: QuestionFile<WeeklyQuestion>,
  { principal: { account: user }, userName }: Person,
  place: Place,
  parts: FileParts,
): Promise<PostedExport> {
  const { answers, exports, settings, web, apiUrl } = parts;
  const principal = await resolvePrincipal(user, parts);
  const answer = await answers.ask(weeklyKind, principal, question, asOf);
  await checkAudience(await answers.audienceScope(principal, answer), place, parts);
  const { week, provenance } = answer.value;
  const { formats } = await formatsToUse(settings);
  const file = await exports.write(weekBook(answer.value, question.selection, { unit, formats }), format);
  try {
    const channel = await conversationId(place.channel, web);
    const title = `Figures of week ${week.id} of ${issuesText(question.selection)}`;
    const note = newNote({ ...place, channel }, { user, userName });
    const comment = commentText(title, format.toUpperCase(), `Durations in ${unit}`, provenance, note);
    const id = await uploadFile(web, file, apiUrl);
    await completeUpload(id, { title, comment }, { ...place, channel }, web);
    return { isThere: true, message: notice(`The file is in ${placeText(channel)}.`) };
  } catch (error) {
    const code = refusalOf(error);
    throw code === null ? tryAgain(error) : new AppError('refused-by-slack', explainRefusal(code));
  } finally {
    await file.close();
  }
}
