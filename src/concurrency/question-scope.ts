import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<object>();

/** Runs the answer to a question: what is stored may be looked at once for all of it. In an answer it is a part of that. */
export function asOneQuestion<Result>(run: () => Result): Result {
  return current.getStore() === undefined ? current.run({}, run) : run();
}

/** Returns what stands for the question that is being answered; null where none is. */
export function currentQuestion(): object | null {
  return current.getStore() ?? null;
}

/** Runs a look at what is stored now, whatever was seen for the question before. */
export function outsideQuestion<Result>(run: () => Result): Result {
  return current.exit(run);
}
