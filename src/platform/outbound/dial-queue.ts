/** Calls back when it is this one's turn; whoever was let in says when it is through. */
export type DialQueue = (begin: (through: () => void) => void) => void;

/**
 * So many handshakes at a time, the rest in line. Dozens that begin in the same moment keep this process from everything
 * else while it computes them, and overflow the queue of a small receiver, whose TCP then has them try again seconds later.
 */
export function createDialQueue(maxAtOnce: number): DialQueue {
  const waiting: ((through: () => void) => void)[] = [];
  let dialling = 0;
  let isMoving = false;

  function letIn(): void {
    // One that is through before it has begun comes back here from within the loop, which goes on by itself.
    if (isMoving) return;
    isMoving = true;
    while (dialling < maxAtOnce) {
      const begin = waiting.shift();
      if (begin === undefined) break;
      dialling += 1;
      let isThrough = false;
      begin(() => {
        if (isThrough) return;
        isThrough = true;
        dialling -= 1;
        letIn();
      });
    }
    isMoving = false;
  }

  return (begin) => {
    waiting.push(begin);
    letIn();
  };
}
