/** Something scarce that many owners draw on: none of them gets more than its share, and all together not more than there is. */
export type Shares = {
  take(owner: string, amount: number): Refusal | undefined;
  give(owner: string, amount: number): void;
  /** Whether as much would be had now; nothing is taken. */
  refuses(owner: string, amount: number): Refusal | undefined;
  total(): number;
};

export type Refusal = 'all is taken' | 'share is taken';

export function createShares(all: number, most: number): Shares {
  const taken = new Map<string, number>();
  let total = 0;
  function refuses(owner: string, amount: number): Refusal | undefined {
    if ((taken.get(owner) ?? 0) + amount > most) return 'share is taken';
    return total + amount > all ? 'all is taken' : undefined;
  }
  return {
    refuses,
    total: () => total,
    take(owner, amount) {
      const refusal = refuses(owner, amount);
      if (refusal !== undefined) return refusal;
      total += amount;
      taken.set(owner, (taken.get(owner) ?? 0) + amount);
      return undefined;
    },
    give(owner, amount) {
      total -= amount;
      const left = (taken.get(owner) ?? 0) - amount;
      if (left > 0) taken.set(owner, left);
      else taken.delete(owner);
    },
  };
}
