import type { Message } from '../block-kit/message.ts';
import { refusalOf, tryAgain } from './exports/refusal.ts';
import { notice } from './messages/notice.ts';

/** Opens a modal; where that came too late, what to do instead is told. Expects the advice to be escaped. */
export async function openView(open: () => Promise<void>, advice: string): Promise<readonly Message[]> {
  try {
    await open();
    return [];
  } catch (error) {
    switch (refusalOf(error)) {
      case 'expired_trigger_id':
        return [notice(`That took too long. ${advice}`)];
      // A call that is repeated because its answer was lost: the modal is open.
      case 'exchanged_trigger_id':
        return [];
      default:
        throw tryAgain(error);
    }
  }
}
