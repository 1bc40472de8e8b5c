import { AppError } from '../../../model/error.ts';

/** What the system says of a disk or folder that takes no file, in words that are no bug of ours. */
const diskTroubles: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EIO: 'the disk fails',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'the folder for files may not be written to',
  EPERM: 'the folder for files may not be written to',
  EROFS: 'the disk can only be read',
  ENOTDIR: 'a file is in the place of the folder for files',
  EEXIST: 'a file is in the place of the folder for files',
};

/** Why no file could be made, as a sentence for whoever asked; null when it is a bug. */
export function whyFailed(error: unknown): string | null {
  if (error instanceof AppError) {
    const { message, details } = error;
    return details.length === 0 ? message : `${message.replace(/\.$/, '')}: ${details.join(' ')}`;
  }
  const trouble = diskTrouble(error);
  return trouble === null ? null : `The file could not be written: ${trouble}. Please tell an admin.`;
}

/** The same failure as one that doors can tell: trouble of the disk is nothing the asker did wrong. */
export function asAppError(error: unknown): unknown {
  const why = diskTrouble(error) === null ? null : whyFailed(error);
  return why === null ? error : new AppError('unavailable', why, [], { cause: error });
}

function diskTrouble(error: unknown): string | null {
  if (error === null || typeof error !== 'object' || !('code' in error)) return null;
  return typeof error.code === 'string' ? (diskTroubles[error.code] ?? null) : null;
}
