import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { ExportFile, ExportNotifier, ExportsApi } from '../../api/exports/exports-api.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { AppError } from '../../model/error.ts';
import type { Delivery, ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import { notifyPerson } from '../app/direct-message.ts';
import { button, notice } from '../app/message-texts.ts';
import { uploadBlob } from '../app/pictures.ts';
import type { ChannelFacts } from '../app/ports.ts';
import { changeMessage, withinLimits } from '../app/post-message.ts';
import { explainRefusal, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { type AudienceLookups, audienceProblem } from '../channels/why-not-here.ts';
import {
  endMessage,
  exportProgress,
  exportTitle,
  exportTitleText,
  type Whereabouts,
} from './export-messages.ts';

/** What brings files into channels. `apiUrl` is where Slack is called instead of at its own address. */
interface ExportNotifierParts {
  readonly web: WebClient;
  readonly apiUrl: string | undefined;
  readonly reporting: Pick<ReportingApi, 'reportTypes' | 'audienceScope' | 'browseScope'>;
  readonly channels: AudienceLookups['channels'];
  readonly channelFacts: AudienceLookups['channelFacts'];
  readonly people: AudienceLookups['people'];
  readonly exports: Pick<ExportsApi, 'preview'>;
  readonly now: () => Instant;
  wait(ms: number): Promise<void>;
  readonly log: Logger;
}

type Keep = Parameters<ExportNotifier['deliver']>[2];

/** Brings exports to the channel they were asked for in; the message that told the progress tells the end. */
export function createExportNotifier(parts: ExportNotifierParts): ExportNotifier {
  const { web, reporting, log } = parts;
  const pace = createProgressPace(parts.now);
  const change = ({ channel, messageTs: ts }: DeliveryNote, message: Message) =>
    changeMessage(web, { channel, ts }, message, log);

  async function share(record: ExportRecord, shipment: Omit<ExportUpload, 'title'>): Promise<Whereabouts> {
    const { report, issues } = exportTitle(record.input, reporting);
    try {
      await shareFile({ ...shipment, title: `${report} of ${issues}` }, parts);
      return 'shared';
    } catch (error) {
      const code = refusalOf(error);
      if (code !== null) {
        log.warn({ export: record.id, code }, 'Slack refused the file of an export');
        return { keptBecause: explainRefusal(code) };
      }
      const failure = tryAgain(error);
      if (failure instanceof AppError) throw failure;
      const reference = randomUUID();
      log.error({ err: error, reference, export: record.id }, 'sharing the file of an export failed');
      return { keptBecause: `Something went wrong on our side; the log has it under ${reference}.` };
    }
  }

  /** What is in the file is nobody's business but the principal's, and so is why it is not shared. */
  async function explain(
    { id }: ExportRecord,
    reasons: readonly string[],
    note: DeliveryNote,
    keep: (changed: DeliveryNote) => Promise<void>,
  ): Promise<void> {
    if (note.explained !== '') return;
    await keep({ ...note, explained: 'yes' });
    const { channel, threadTs, user } = note;
    const place = { channel, threadTs: threadTs === '' ? null : threadTs };
    const word = notice('Your file stays between us.', ...reasons);
    const get = { type: 'actions' as const, elements: [button('Get the file', 'get-export-file', id)] };
    await notifyPerson(user, place, { ...word, blocks: [...word.blocks, get] }, parts);
  }

  /** At most once: whether a post that failed was made after all nobody knows. */
  async function tellAnew(note: DeliveryNote, message: Message, keep: Keep): Promise<void> {
    await keep({ ...note, retold: 'yes' });
    const { text, blocks } = withinLimits(message, log);
    try {
      await web.chat.postMessage({
        channel: note.channel,
        text,
        blocks: [...blocks],
        unfurl_links: false,
        unfurl_media: false,
        ...(note.threadTs === '' ? {} : { thread_ts: note.threadTs }),
      });
    } catch (error) {
      log.warn({ err: error, channel: note.channel }, 'the end of an export could not be told anew');
    }
  }

  return {
    async progress(record) {
      const note = readNote(record.delivery);
      if (note === null) return;
      const { completed, total } = record;
      const { user, userName } = note;
      await pace.tell(record.id, Math.floor((100 * completed) / Math.max(1, total)), async () => {
        const wish = exportTitleText(exportTitle(record.input, reporting));
        await change(note, exportProgress({ wish, user, userName, completed, total }));
      });
    },

    async deliver(record, file, keep) {
      const note = readNote(record.delivery);
      if (note === null) return;
      await pace.settled(record.id);
      let known: DeliveryNote = note;
      const keepKnown = async (changed: DeliveryNote) => {
        await keep(changed);
        known = changed;
      };
      const bring = async (made: ExportFile): Promise<Whereabouts> => {
        const reasons = await sharingProblem(record, note.channel, parts);
        if (reasons.length === 0) return share(record, { file: made, note, keep: keepKnown });
        await explain(record, reasons, note, keepKnown);
        return { keptBecause: 'Not everybody here may read what is in it.' };
      };
      const whereabouts = file === null ? 'none' : await bring(file);
      const message = await endMessage(record, note.userName, whereabouts, parts);
      try {
        await change(note, message);
      } catch (error) {
        const code = refusalOf(error);
        if (code === null) throw tryAgain(error);
        // The message is gone, or not ours to change any more.
        log.warn({ export: record.id, code }, 'Slack refused to change the message of an export');
        if (known.retold === '') await tellAnew(known, message, keep);
      }
    },
  };
}

/** A file, the title it gets in Slack, and what is remembered of bringing it there. */
interface ExportUpload {
  readonly file: ExportFile;
  readonly title: string;
  readonly note: DeliveryNote;
  /** Makes a changed note durable. */
  readonly keep: (note: DeliveryNote) => Promise<void>;
}

/** Puts a file into the channel of its note; at most once, whatever became of an attempt before. */
async function shareFile(
  { file, title, note, keep }: ExportUpload,
  { web, apiUrl }: { readonly web: WebClient; readonly apiUrl: string | undefined },
): Promise<void> {
  if (note.fileId !== '') {
    const presence = await presenceOf(web, note.fileId, note.channel);
    if (presence === 'shared') return;
    // Slack shares a completed file some time later; only what stays away was never completed.
    if (presence === 'kept' && note.missed === '') {
      await keep({ ...note, missed: 'once' });
      throw new AppError('slack-unavailable', 'Slack has the file, but does not show it yet.');
    }
  }
  const fileId = await uploadFile(web, file, apiUrl);
  await keep({ ...note, fileId, missed: '' });
  await web.files.completeUploadExternal({
    files: [{ id: fileId, title }],
    channel_id: note.channel,
    ...(note.threadTs === '' ? {} : { thread_ts: note.threadTs }),
  });
}

/** `absent`: Slack knows no such file; `kept`: it does, but shows it nowhere in the channel; `shared`: it does. */
type Presence = 'absent' | 'kept' | 'shared';

/** What became of an upload as far as a channel is concerned. */
async function presenceOf(web: WebClient, fileId: string, channel: string): Promise<Presence> {
  try {
    const { file } = await web.files.info({ file: fileId });
    const places = [file?.channels, file?.groups, file?.ims].flatMap((some) => some ?? []);
    const shares = [file?.shares?.public, file?.shares?.private];
    const isShared = places.includes(channel) || shares.some((some) => some && Object.hasOwn(some, channel));
    return isShared ? 'shared' : 'kept';
  } catch (error) {
    if (['file_not_found', 'file_deleted'].includes(refusalOf(error) ?? '')) return 'absent';
    throw error;
  }
}

/** Slack takes 50 changes of messages a minute from one app, whatever they are about. */
const MESSAGES_APART_MS = 2000;

/** Tells progress at a pace Slack bears. */
interface ProgressPace {
  /** Runs `say` unless the same was told last, another is under way, or it is too early; resolves when it is told. */
  tell(id: string, percent: number, say: () => Promise<void>): Promise<void>;
  /** Resolves when nothing is under way, and forgets what was told: the end follows. */
  settled(id: string): Promise<void>;
}

/** Nothing told yet. */
function createProgressPace(now: () => Instant): ProgressPace {
  const told = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();
  let notBefore = 0;
  return {
    async tell(id, percent, say) {
      if (underWay.has(id) || told.get(id) === percent || now() < notBefore) return;
      notBefore = now() + MESSAGES_APART_MS;
      told.set(id, percent);
      const work = say();
      underWay.set(id, work);
      try {
        await work;
      } catch (error) {
        if (!(error instanceof WebAPIRateLimitedError)) throw error;
        notBefore = now() + 1000 * error.retryAfter;
      } finally {
        underWay.delete(id);
      }
    },
    async settled(id) {
      await underWay.get(id)?.catch(() => {});
      told.delete(id);
    },
  };
}

const note = z.object({
  channel: z.string().min(1),
  /** The message that tells how far it is, and later what came of it. */
  messageTs: z.string().min(1),
  /** Empty outside of threads. */
  threadTs: z.string(),
  user: z.string(),
  userName: z.string(),
  /** The upload that was begun; empty before. */
  fileId: z.string().default(''),
  /** `once`: the file is there, but was seen nowhere when somebody looked. */
  missed: z.enum(['', 'once']).default(''),
  /** `yes`: the message was gone, and the end was told in a new one. */
  retold: z.enum(['', 'yes']).default(''),
  /** `yes`: why the file is not for the channel was told to who asked for it. */
  explained: z.enum(['', 'yes']).default(''),
});

/** What this door remembers of an export while it is made. */
export type DeliveryNote = Readonly<z.output<typeof note>>;

/** The note of a delivery; null where it is none of this door's. */
export function readNote(delivery: Delivery | null): DeliveryNote | null {
  const parsed = note.safeParse(delivery?.door === 'slack' ? delivery.note : null);
  return parsed.success ? parsed.data : null;
}

/** Sends the bytes of a file to Slack and answers its id there; the file is read while it is sent. */
export async function uploadFile(
  web: WebClient,
  { path, fileName }: ExportFile,
  apiUrl: string | undefined,
): Promise<string> {
  return uploadBlob(web, { fileName, blob: await openAsBlob(path) }, apiUrl);
}

/**
 * Why a file may not be brought to a channel after all, for its principal alone: what is in it, or who reads there, may have
 * changed since it was asked for. None: it may. What passes is `unavailable`.
 */
async function sharingProblem(
  { id, input: wish }: ExportRecord,
  channel: string,
  parts: AudienceLookups & {
    readonly reporting: Pick<ReportingApi, 'audienceScope'>;
    readonly log: Logger;
  },
): Promise<readonly string[]> {
  try {
    const contents = await parts.reporting.audienceScope(wish.request);
    return await audienceProblem(contents, channel, { ...parts, channelFacts: lasting(parts.channelFacts) });
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') throw error;
    parts.log.warn({ err: error, export: id }, 'what is in the file of an export cannot be told');
    return ['Nobody can tell any more what is in the file.'];
  }
}

/** What passes by itself is no answer: the file waits for one. */
function lasting({ outsidersIn }: ChannelFacts): ChannelFacts {
  return {
    async outsidersIn(channel) {
      const outsiders = await outsidersIn(channel);
      if (outsiders.kind === 'unknown' && outsiders.passes)
        throw new AppError('slack-unavailable', outsiders.because);
      return outsiders;
    },
  };
}
