const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop in which nobody else who waits here goes on, first come first served. What has
 * come in meanwhile, a command to be acknowledged say, is heard before each turn, however many have work to do.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letOneGoOn);
  });
}

function letOneGoOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letOneGoOn);
}
