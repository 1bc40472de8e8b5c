import { AppError } from '../../../model/error.ts';

/** The service, or a gateway before it, gave a question up after its time: a smaller one may be answered. */
export class TookTooLong extends AppError {
  constructor({ message, cause }: { readonly message: string; readonly cause?: unknown }) {
    super('unavailable', message, [], { cause });
    this.name = 'TookTooLong';
  }
}

/** No path is known there under which this could be asked. */
export class UnknownPlace extends AppError {
  constructor({ message }: { readonly message: string }) {
    super('unavailable', message);
    this.name = 'UnknownPlace';
  }
}

/** Whether what failed may not be there at all: an unknown path, or a 404 that leaves open what was not found. */
export function isNotThere(failure: unknown): boolean {
  return failure instanceof UnknownPlace || (failure instanceof AppError && failure.code === 'not-found');
}
