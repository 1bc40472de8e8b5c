import type { DueDigest } from '../../api/digests/digests-api.ts';
import { formatsToUse } from '../../api/settings/settings-in-use.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, dateMark, escapeMrkdwn, unescapeMrkdwn, utcText } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { someOf } from '../../block-kit/some-of.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { ExportInput } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { AudienceScope } from '../../model/permissions.ts';
import type { Run } from '../../model/question.ts';
import type { ReportRequest } from '../../model/request.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import type { DigestPostParts, SlackParts } from '../app/parts.ts';
import { answerView } from '../ask/answer-view.ts';
import { firstPart, storeAnswer } from '../ask/show-answer.ts';
import { audienceProblem } from '../channels/why-not-here.ts';
import { type DeliveryNote, newNote } from '../exports/export-messages.ts';
import { digestPrincipal } from '../people/principals.ts';
import { writePeriod } from './describe-digest.ts';
import { type DeliveryLog, postOnce, type Standing } from './post-once.ts';

/** Posts the message of a period, then what belongs into its thread; goes on where an attempt before ended. */
export async function bringPeriod(
  due: DueDigest,
  ledger: DeliveryLog,
  parts: DigestPostParts,
): Promise<void> {
  const standing = await bringMessage(due, ledger, parts);
  const { details } = viewOf(due, null);
  for (const [i, detail] of details.entries()) {
    if (i >= Number(ledger.note().details)) await bringDetail(detail, i, standing, due, ledger, parts);
  }
  if (due.digest.file !== null && ledger.note().file === '') {
    await bringFile(due, standing, ledger, parts).catch((error: unknown) => {
      throw fileFailure(error);
    });
  }
}

/** What a period is posted as; `run` is what the buttons of the answer come back to. */
export function viewOf(
  { answer, digest, run: { due }, lateMs, missed }: DueDigest,
  run: Run | null,
): { readonly message: Message; readonly details: readonly Message[] } {
  const { timeZone } = digest.schedule;
  const look = { place: 'digest', run, part: firstPart, sharedBy: null, timeZone } as const;
  const { message, details } = answerView(answer, look);
  return { message: digestMessage({ title: digest.title, due, lateMs, missed }, message), details };
}

async function bringMessage(due: DueDigest, ledger: DeliveryLog, parts: DigestPostParts): Promise<Standing> {
  const { channel, ts } = ledger.note();
  if (ts !== '') return { channel, ts };
  const { digest, run, answer } = due;
  const place = channelOf(digest);
  const standing = await postOnce(
    {
      run: writePeriod({ id: digest.id, due: run.due }),
      part: 'message',
      channel: place,
      threadTs: '',
      async make() {
        if (digest.place.kind === 'channel') {
          const principal = await digestPrincipal(digest.owner, parts);
          const contents = principal === null ? null : await parts.answers.audienceScope(principal, answer);
          await canBePosted(contents, place, parts);
        }
        const kept = await storeAnswer(digest.owner, answer, parts.answers);
        await ledger.keep({ answer: kept.id });
        return viewOf(due, kept).message;
      },
    },
    ledger,
    parts,
  );
  if (standing === null) {
    await ledger.keep({ unsure: 'yes' });
    throw new AppError(
      'refused-by-slack',
      'Slack gave no answer when it was posted, so it may stand there already.',
      [
        'I may not look: an admin can give the app the scopes channels:history, groups:history, im:history and im:write for that.',
        'Please look yourself; if it is not there, press the button.',
      ],
    );
  }
  await ledger.keep({ ...standing, trying: '' });
  return standing;
}

/** A thread is as good without a part that nobody can tell of, or that Slack does not take. */
async function bringDetail(
  detail: Message,
  index: number,
  { channel, ts }: Standing,
  { digest, run }: DueDigest,
  ledger: DeliveryLog,
  parts: DigestPostParts,
): Promise<void> {
  const mark = { run: writePeriod({ id: digest.id, due: run.due }), part: `detail ${index + 1}` };
  const place = { channel, threadTs: ts, make: async () => detail };
  await postOnce({ ...mark, ...place }, ledger, parts).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    parts.log.warn({ err: error, digestId: digest.id }, 'Slack refused a detail of a digest');
  });
  await ledger.keep({ details: String(index + 1), trying: '' });
}

async function bringFile(
  { digest, run, answer }: DueDigest,
  { channel, ts }: Standing,
  ledger: DeliveryLog,
  parts: DigestPostParts,
): Promise<void> {
  const { answers, accounts, exports } = parts;
  const { owner, file } = digest;
  const principal = await digestPrincipal(owner, parts);
  const request = principal === null ? null : await answers.requestOf(principal, digest.question, run.due);
  if (file === null || request === null) return ledger.keep({ file: 'yes' });
  if (digest.place.kind === 'channel') {
    await canBePosted(
      principal === null ? null : await answers.audienceScope(principal, answer),
      channel,
      parts,
    );
  }
  const { name: userName } = await accounts.profileOf(owner);
  const wish = await digestFileInput(file, request, userName, parts);
  if ((await exports.count(wish)) === 0) return ledger.keep({ file: 'yes' });
  const period = writePeriod({ id: digest.id, due: run.due });
  const note = newNote({ channel, threadTs: ts }, { user: owner, userName, digest: period });
  await queueDigestFile(wish, note, parts);
  await ledger.keep({ file: 'yes' });
}

/** Where a digest is posted; an account names the conversation with who has it. */
function channelOf({ place, owner }: Pick<Digest, 'place' | 'owner'>): string {
  return place.kind === 'channel' ? place.channel : owner;
}

/**
 * Fails with the reasons where not everybody who reads in a channel may read a digest; `unavailable` where Slack does not
 * tell at the moment who that is, which is no reason to give the period up.
 */
async function canBePosted(
  contents: AudienceScope | null,
  channel: string,
  parts: Pick<DigestPostParts, 'channels' | 'channelFacts' | 'reporting' | 'people'>,
): Promise<void> {
  const channelFacts: DigestPostParts['channelFacts'] = {
    async outsidersIn(place) {
      const outsiders = await parts.channelFacts.outsidersIn(place);
      if (outsiders.kind === 'unknown' && outsiders.passes) {
        throw new AppError('slack-unavailable', unescapeMrkdwn(outsiders.because));
      }
      return outsiders;
    },
  };
  const reasons = await audienceProblem(contents, channel, { ...parts, channelFacts });
  if (reasons.length > 0) {
    throw new AppError(
      'not-for-this-channel',
      'It may not be read by everybody in its channel.',
      reasons.map(unescapeMrkdwn),
    );
  }
}

const TITLE_LENGTH = 100;
const MISSED_SHOWN = 3;

/** What stands above the answer of a digest: its title, which period it is of, and what went wrong before. */
type DigestHead = Pick<DueDigest, 'lateMs' | 'missed'> & {
  readonly title: string;
  readonly due: Instant;
};

/** The answer as a message of the digest. */
export function digestMessage(head: DigestHead, answer: Message): Message {
  return {
    text: `${headText(head, utcText)}. ${answer.text}`,
    blocks: [context(headText(head, dateMark)), ...answer.blocks],
  };
}

function headText({ title, due, lateMs, missed }: DigestHead, date: (at: Instant) => string): string {
  const name = escapeMrkdwn(shorten(title, TITLE_LENGTH));
  const period =
    lateMs === null ? `as of ${date(due)}` : `late: it was due ${date(due)}, and speaks of that time`;
  const gap = missed.length === 0 ? [] : [`not posted before it: ${someOf(missed.map(date), MISSED_SHOWN)}`];
  return [`Digest ${date === dateMark ? `*${name}*` : name}`, period, ...gap].join(' · ');
}

const types = { xlsx: 'XLSX', xls: 'XLS', csv: 'CSV' } as const;

/** More exports of one owner are not unfinished at a time. */
const LOOKED_AT = { start: 0, size: 50 };

/** The file of a digest as it is asked for: the list behind its answer, as of the same instant. */
async function digestFileInput(
  file: NonNullable<Digest['file']>,
  request: ReportRequest,
  userName: string,
  { settings }: Pick<SlackParts, 'settings'>,
): Promise<ExportInput> {
  const { formats, notes } = await formatsToUse(settings);
  return {
    principalName: userName,
    type: types[file],
    request: { ...request, statistic: null, page: null },
    unit: 'hours',
    dayLength: '24HourDays',
    ...withNotes({ formats }, notes),
    denominator: 'nonNull',
    deviation: 'population',
    byteOrderMark: file === 'csv',
    withProvenance: false,
  };
}

/** Has the file made and brought into the thread; once for a period, however often it is called. */
async function queueDigestFile(
  wish: ExportInput,
  note: DeliveryNote,
  { exports }: Pick<SlackParts, 'exports'>,
): Promise<void> {
  const { records } = await exports.list(wish.request.principal, LOOKED_AT);
  if (records.some(({ delivery }) => delivery?.note.digest === note.digest)) return;
  await exports.queue(wish, { door: 'slack', note, pending: true });
}

/** What went wrong with the file of a message that stands there, as the owner is told. */
function fileFailure(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code === 'unavailable') return error;
  return new AppError(error.reason, 'The message is posted, but its file could not be made.', [
    error.message,
    ...error.details,
  ]);
}
