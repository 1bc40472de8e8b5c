import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { ExportFile, ExportNotifier, ExportsApi } from '../../api/exports/exports-api.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { AppError } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { AudienceLookups } from '../audience/why-not-here.ts';
import { button } from '../messages/button.ts';
import { exportProgress } from '../messages/export-progress.ts';
import { exportTitle, exportTitleText } from '../messages/export-title.ts';
import { notice } from '../messages/notice.ts';
import { tellPerson } from '../tell-person.ts';
import { withinLimits } from '../within-limits.ts';
import { changeMessage } from './change-message.ts';
import { type DeliveryNote, readNote } from './delivery-note.ts';
import { endMessage, type Whereabouts } from './end-message.ts';
import { explainRefusal } from './explain-refusal.ts';
import { createProgressPace } from './progress-pace.ts';
import { refusalOf, tryAgain } from './refusal.ts';
import { type Shipment, shareFile } from './share-file.ts';
import { whyNotShared } from './why-not-shared.ts';

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

  async function share(record: ExportRecord, shipment: Omit<Shipment, 'title'>): Promise<Whereabouts> {
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
    await tellPerson(user, place, { ...word, blocks: [...word.blocks, get] }, parts);
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
        const reasons = await whyNotShared(record, note.channel, parts);
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
