import type { Schemas } from '@dukkan/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChannelName } from '../../i18n/index.ts';
import { useMay } from '../../platform/index.ts';
import { useBranchList, useBranchName } from '../../ui/branch-names.ts';

type Order = Schemas['CanonicalOrder'];

/** The branch, with a link to its page where the account may open it. */
export function BranchLink({ branch }: { branch: Order['branch'] }): ReactNode {
  const name = useBranchName()(branch);
  const known = useBranchList().find(({ id }) => id === branch.id);
  if (name === null) return '—';
  if (known === undefined) return <bdi>{name}</bdi>;
  return (
    <Link to="/branches/$ivId" params={{ ivId: known.ivId }}>
      <bdi>{name}</bdi>
    </Link>
  );
}

/** An order that was placed directly has no installation. */
export function ChannelLink({ channel }: { channel: Order['channel'] }): ReactNode {
  const name = useChannelName()(channel.app_slug);
  const may = useMay();
  if (!channel.organization_app_id || !may('read:Apps')) return name;
  return (
    <Link to="/apps/$id" params={{ id: channel.organization_app_id }}>
      {name}
    </Link>
  );
}

/** All orders of the customer, by the number or address that identifies them. */
export function CustomerLink({ customer, noName }: { customer: Order['customer']; noName: string }): ReactNode {
  const identity = customer.phone ?? customer.email;
  const name = customer.name === null ? noName : <bdi>{customer.name}</bdi>;
  if (identity === null) return name;
  return (
    <Link to="/customers" search={{ search: identity }}>
      {name}
    </Link>
  );
}

/** A line names a product of its channel, which may not be in the catalog: the link searches for it. */
export function ProductLink({ productId, name }: { productId: string; name: string }): ReactNode {
  const may = useMay();
  if (!may('read:Products') || productId === '') return <bdi>{name}</bdi>;
  return (
    <Link to="/products" search={{ search: productId }}>
      <bdi>{name}</bdi>
    </Link>
  );
}
