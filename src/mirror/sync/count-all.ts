import { AppError } from '../../model/error.ts';
import type { Work } from './work.ts';

/** How many issues there are, about; null where that cannot be told, which must not hold up anything. */
export async function countAll({ ask, tracker }: Work): Promise<number | null> {
  try {
    return await ask(() => tracker.count());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}
