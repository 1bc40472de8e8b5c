import type { WebClient } from '@slack/web-api';
import { refusalOf } from './refusal.ts';

/** `absent`: Slack knows no such file; `kept`: it does, but shows it nowhere in the channel; `shared`: it does. */
type Presence = 'absent' | 'kept' | 'shared';

/** What became of an upload as far as a channel is concerned. */
export async function presenceOf(web: WebClient, fileId: string, channel: string): Promise<Presence> {
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
