// Generated from openapi.json by `npm run openapi`; not to be edited.

export interface webhooks {
  orderEvent: {
    parameters: {
    };
    get?: never;
    put?: never;
    /**
     * A change of an order
     * @description Sent to every active subscription whose filter names the type, or names none. The body is byte for byte what the change feed has. Each delivery retries on its own, so order events by `cursor`, not by arrival.
     */
    post: operations["receiveOrderEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  testEvent: {
    parameters: {
    };
    get?: never;
    put?: never;
    /**
     * An event on request, to try a receiver out
     * @description Sent by the test route whatever the filter says, signed and retried like a real one. It has no order.
     */
    post: operations["receiveTestEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    Account: {
      user: {
        id: string;
        email: string;
        /** @description The email address where there is no name */
        name: string;
        operator_type: string;
        has_second_factor: boolean;
      };
      organizations: {
        id: string;
        name_en: string;
        name_ar: string;
        is_active: boolean;
        /** @description For unpaid fees: its routes answer 402 */
        suspended: boolean;
        time_zone: string;
        /** @description Members without a second factor are let into nothing of it */
        require_totp: boolean;
        role: string;
        /** @description Set: sees this branch alone */
        branch_id: string | null;
        /** @description As action:resource */
        grants: string[];
      }[];
      /** @description Set for a support token: an operator inside an organization that has allowed it */
      support: {
        grant_id: string;
        /** @enum {string} */
        scope: "read" | "full";
        grant_expires_at: string;
      } | null;
    };
    AccountingOverview: {
      timestamp: string;
      totals: {
        /** @description Payments that succeeded */
        cash_collected_sar: number;
        /** @description Those of the last 30 days in Riyadh, today included */
        cash_collected_30d_sar: number;
        /** @description All wallets together: ledger credits less debits */
        wallet_balance_sar: number;
        /** @description What is left to pay of open fees, of branches and services */
        outstanding_branch_fees_sar: number;
        /** @description The part of it that was due before today */
        overdue_branch_fees_sar: number;
        /** @description Ledger entries of the type credit */
        credits_issued_sar: number;
        /** @description Ledger debits of the types refund and adjustment */
        refund_like_debits_sar: number;
        /** @description VAT of the fees that were settled */
        recognized_vat_sar: number;
        /** @description Fees that were settled, without VAT, less credits issued */
        net_revenue_sar: number;
      };
      receivables: {
        /** @description Not due before today */
        current_sar: number;
        /** @description By days past due */
        days_1_to_30_sar: number;
        /** @description By days past due */
        days_31_to_60_sar: number;
        /** @description By days past due */
        days_61_plus_sar: number;
        /** @description Open fees that are not past due */
        pending_rows: number;
        /** @description Open fees that are */
        overdue_rows: number;
      };
      status_breakdown: {
        /** @description pending, overdue, paid or void */
        status: string;
        /** @description Fees */
        count: number;
        /** @description Their total_sar */
        amount: number;
      }[];
      ledger_breakdown: {
        entry_type: string;
        /** @description credit or debit */
        direction: string;
        /** @description Entries */
        count: number;
        /** @description Their total_sar */
        amount: number;
      }[];
      /** @description The newest 20 */
      recent_branch_fees: components["schemas"]["RecentBranchFee"][];
      reconciliation: {
        /** @description Payments that succeeded */
        successful_payments_sar: number;
        /** @description Top-ups in the ledger: each payment that succeeded has one */
        ledger_credits_sar: number;
        /** @description The difference of the two: anything but 0 needs a look */
        variance_sar: number;
      };
    };
    AnalyticsDashboard: {
      organization_id: string;
      range_days: number;
      fetched_at: string;
      /** @description Empty sections are left out; `summary` is always present */
      data: {
        summary?: {
          /** @description The organization's currency; all amounts of the dashboard are in it */
          currency: string;
          /** @description Every order that is not deleted, the cancelled and refunded included */
          orders: number;
          /** @description Without cancelled and refunded orders, in the organization's currency */
          revenue: number;
          /** @description Revenue per sold order, rounded to the digits of the currency */
          average_order_value: number;
          /** @description Sold, without cancelled and refunded orders */
          units: number;
          /** @description Distinct customers with orders, by phone number or email address */
          customers: number;
          cancelled: number;
          refunded: number;
          /** @description The same number of days before the range */
          previous: {
            /** @description Every order that is not deleted, the cancelled and refunded included */
            orders: number;
            /** @description Without cancelled and refunded orders, in the organization's currency */
            revenue: number;
            /** @description Revenue per sold order, rounded to the digits of the currency */
            average_order_value: number;
            /** @description Sold, without cancelled and refunded orders */
            units: number;
            /** @description Distinct customers with orders, by phone number or email address */
            customers: number;
            cancelled: number;
            refunded: number;
          };
          /** @description Change from `previous` in percent, to the tenth; null when the previous value is 0 */
          change: {
            orders: number | null;
            revenue: number | null;
            average_order_value: number | null;
            units: number | null;
            customers: number | null;
            cancelled: number | null;
            refunded: number | null;
          };
          /** @description What was sold in others: in `orders` and `units`, but not in any amount. Only where there is something */
          other_currencies?: {
            currency: string;
            orders: number;
            revenue: number;
          }[];
        };
        /** @description Every day of the range, the oldest first */
        trends?: {
          /** @description A day in the organization's time zone */
          date: string;
          orders: number;
          revenue: number;
          units: number;
        }[];
        /** @description By channel, the highest revenue first */
        apps?: {
          app_slug: string;
          family: string;
          orders: number;
          revenue: number;
          /** @description Share of all revenue, from 0 to 1 */
          share: number;
          cancelled: number;
        }[];
        /** @description Conditions that need attention, the most severe first */
        alerts?: {
          /** @enum {string} */
          kind: "low_stock" | "failing_webhook" | "failing_connector" | "cancellation_spike" | "overdue_fee";
          /** @enum {string} */
          severity: "critical" | "warning";
          message_en: string;
          message_ar: string;
          /** @description The SKU's iv_id, or the id of the subscription or install */
          ref: string | null;
          /** @description Start of the condition */
          at: string;
        }[];
        /** @description The latest events of orders, at most 20 */
        activity?: {
          /** @description The event's id, as in the change feed */
          id: string;
          type: string;
          at: string;
          order_id: string;
          order_code: string | null;
          app_slug: string;
          branch_name: string | null;
          status_from: string;
          status: string;
          payment_status: string;
          total: number;
          currency: string;
        }[];
        sensy?: {
          /** @description The SKU's iv_id */
          sku_id: string;
          product_name_en: string | null;
          product_name_ar: string | null;
          branch_iv_id: string | null;
          current_qty: number;
          days_of_cover: number | null;
          stockout_date: string | null;
        }[];
        /** @description The fastest-selling SKUs with their stock */
        consumption?: {
          /** @description The SKU's iv_id, as orders name it */
          sku_id: string;
          product_name_en: string | null;
          product_name_ar: string | null;
          branch_iv_id: string | null;
          /** @description Sold in the range */
          units: number;
          /** @description Units per day */
          daily_use: number;
          /** @description null when the SKU is not in the catalog */
          current_qty: number | null;
          /** @description Days until the stock is used up */
          days_of_cover: number | null;
        }[];
        /** @description The 20 products with the highest revenue */
        products?: {
          /** @description The product's iv_id, as orders name it */
          product_id: string;
          name_en: string | null;
          name_ar: string | null;
          units: number;
          /** @description Of its order lines, without fees and discounts */
          revenue: number;
          /** @description Share of the revenue of all products, from 0 to 1 */
          share: number;
        }[];
        /** @description Announcements of the operator */
        posts?: {
          id: string;
          title_en: string;
          title_ar: string;
          body_en: string;
          body_ar: string;
          published_at: string;
        }[];
      };
      /** @description Sections that could not be read, with the reason. Absent when all were read */
      errors?: {
        [key: string]: string;
      };
    };
    ApiKey: {
      id: string;
      organization_id: string;
      name: string;
      /** @description Last four characters */
      hint: string;
      grants: string[];
      branch_iv_id: string | null;
      revoked: boolean;
      expires_at: string | null;
      /** @description To the minute */
      last_used_at: string | null;
      created: string;
    };
    ApiKeyList: {
      data: components["schemas"]["ApiKey"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    ApiKeyRequest: {
      name?: string;
      /** @description What it opens, as action:resource. Settings is refused */
      grants?: string[];
      /** @description Sees this branch alone */
      branch_iv_id?: string | null;
      /** @description Absent: it does not end */
      expires_at?: string | null;
    };
    App: {
      id: string;
      app_slug: string;
      name_en: string;
      name_ar: string;
      /** @enum {unknown} */
      family: "web_store" | "delivery_app" | "marketplace" | "pos" | "till" | "payment" | "erp";
      kind: string;
      enabled: boolean;
      /**
       * @description failing: the last ten payloads or pushes all failed
       * @enum {unknown}
       */
      status: "active" | "failing" | "disabled";
      /** @description Secrets show their last four characters only. An account confined to a branch sees the entries of that branch only */
      settings: {
        [key: string]: unknown;
      };
      last_sync_at: string | null;
      created: string;
      updated: string;
    };
    AppAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["App"];
      timestamp: string;
    };
    AppCatalog: {
      data: components["schemas"]["CatalogApp"][];
      count: number;
    };
    AppChange: {
      enabled?: boolean;
      /** @description Replaces the named settings; null removes one. A secret that is omitted, or sent as it was masked, stays. Secrets are bound to the origin (scheme, host, port) of `api_base_url`: when the origin changes, send those that calls carry (`x-sent-to-vendor` in the catalog) in full or as null in the same request */
      settings?: {
        [key: string]: unknown;
      };
    };
    AppHealth: {
      data: {
        /** @description A day of the organization's calendar */
        date: string;
        received: number;
        processed: number;
        failed: number;
      }[];
      count: number;
    };
    AppInstallation: {
      /** @description A slug of GET /apps/catalog */
      app_slug: string;
      settings?: {
        [key: string]: unknown;
      };
    };
    AppList: {
      data: components["schemas"]["App"][];
      count: number;
    };
    /**
     * @description A paused assignment is not charged
     * @enum {string}
     */
    AssignmentStatus: "active" | "paused";
    AuditEntry: {
      id: string;
      at: string;
      actor: {
        /**
         * @description operator: an account of the service's operator; cli: its command line; system: the service itself
         * @enum {string}
         */
        kind: "user" | "api_key" | "operator" | "system" | "cli";
        id: string;
        /** @description Name at that time: of a user the name or the email address, of an API key its name */
        name: string;
        /** @description Present when an operator acted inside the organization for support: the grant that allowed it */
        support_grant_id?: string;
      };
      action: string;
      resource: string;
      resource_id: string;
      /** @description Field names, never values */
      changed_fields: string[];
      /** @description Empty when there was no request */
      ip: string;
      /** @description As in the response header x-request-id; empty when there was no request */
      request_id: string;
    };
    AuditEntryList: {
      data: components["schemas"]["AuditEntry"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    BalanceAdjustment: {
      id: string;
      organization_id: string;
      organization_name_en: string;
      /** @description credit, refund or adjustment */
      entry_type: string;
      /** @description credit or debit */
      direction: string;
      amount_sar: number;
      note: string;
      created_by: string;
      created: string;
    };
    BalanceAdjustmentPage: {
      page: number;
      perPage: number;
      totalItems: number;
      items: components["schemas"]["BalanceAdjustment"][];
    };
    BillableService: {
      id: string;
      code: string;
      name_en: string;
      name_ar: string;
      description: string;
      /** @description Without VAT */
      price_sar: number;
      vat_percent: number;
      billing_cycle: components["schemas"]["BillingCycle"];
      is_active: boolean;
      metadata: {
        [key: string]: unknown;
      };
      assets: components["schemas"]["ServiceAsset"][];
      created: string;
      updated: string;
    };
    BillableServiceChange: {
      /** @description letters, digits, dots, dashes and underscores, at most 64; no two services have the same */
      code?: string;
      /** @description In English */
      name_en?: string;
      /** @description In Arabic */
      name_ar?: string;
      /** @description Without VAT, each; what is assigned keeps the price it has */
      price_sar?: number;
      /** @description For people */
      description?: string;
      /** @description Default 15 */
      vat_percent?: number;
      billing_cycle?: components["schemas"]["BillingCycle"];
      /** @description Whether it can be assigned; default true */
      is_active?: boolean;
      /** @description The operator's own notes, as a JSON object of at most 16,384 characters; replaced as a whole */
      metadata?: {
        [key: string]: unknown;
      };
    };
    BillableServiceList: {
      items: components["schemas"]["BillableService"][];
      /** @description How many there are, also where a cap shows fewer */
      total_items: number;
    };
    BillingCheckout: {
      id: string;
      amount_sar: number;
      /** @description pending, succeeded or cancelled, which it is too once it has expired */
      status: string;
      /** @description Where the payer completes it: a page of the console in the sandbox */
      checkout_url: string;
      created: string;
      /** @description When it was confirmed, was cancelled or expired */
      finished: string | null;
    };
    BillingCheckoutList: {
      data: components["schemas"]["BillingCheckout"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    /**
     * @description How often it is charged
     * @enum {string}
     */
    BillingCycle: "once" | "monthly" | "yearly";
    BillingPayment: {
      id: string;
      organization_id: string;
      organization_name_en: string;
      /** @description Without VAT: money paid in advance has none in it, that arises with the fee it pays */
      amount_sar: number;
      /** @description 0, see amount_sar */
      vat_sar: number;
      /** @description Both together */
      total_sar: number;
      /** @description bank_transfer, credit_card, debit_card, card, wallet, cash, cheque, sadad, online */
      method: string;
      /** @description succeeded, pending or failed */
      status: string;
      reference: string;
      /** @description The account that recorded it */
      created_by: string;
      created: string;
    };
    BillingPaymentPage: {
      page: number;
      perPage: number;
      totalItems: number;
      items: components["schemas"]["BillingPayment"][];
    };
    /** @description A place that sells or stores */
    Branch: {
      id: string;
      iv_id: string;
      organization_id: string;
      name_en: string;
      name_ar: string;
      email: string;
      active: boolean;
      status: components["schemas"]["BranchStatus"];
      location: components["schemas"]["Location"] | null;
      apple_maps_id: string;
      google_maps_id: string;
      /** @description As it was sent; null when never */
      working_hours: unknown;
      working_hours_periods: components["schemas"]["WorkingPeriod"][];
      /** @description Now, by its hours and its own clock */
      is_open: boolean;
      time_zone: string | null;
      hero_image: string | null;
      banner_image: string | null;
      photos: string[];
      /** @description Only in a search by place */
      distance_km?: number;
      created: string;
      updated: string;
    };
    BranchAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Branch"];
      timestamp: string;
    };
    BranchBulk: {
      mode: components["schemas"]["BulkMode"];
      branches: components["schemas"]["NewBranch"][];
    };
    BranchChange: {
      /** @description May be repeated, not changed */
      iv_id?: string;
      name_en?: string | null;
      name_ar?: string | null;
      email?: string | null;
      active?: boolean | null;
      status?: components["schemas"]["BranchStatus"] | null;
      apple_maps_id?: string | null;
      google_maps_id?: string | null;
      time_zone?: string | null;
      location?: components["schemas"]["Location"] | null;
      working_hours?: components["schemas"]["WorkingHours"];
      /** @description null removes the image; anything else is ignored */
      hero_image?: unknown;
      /** @description As hero_image */
      banner_image?: unknown;
      /** @description The photos to keep, by their addresses, in this order; null or an empty list removes all */
      photos?: string[] | null;
    };
    BranchChangeForm: {
      /** @description May be repeated, not changed */
      iv_id?: string;
      /** @description At most 255 characters */
      name_en?: string;
      /** @description At most 255 characters */
      name_ar?: string;
      /** @description Contact address */
      email?: string;
      /** @enum {string} */
      active?: "true" | "false";
      status?: components["schemas"]["BranchStatus"];
      /** @description JSON text */
      location?: string;
      /** @description JSON text, in either style */
      working_hours?: string;
      /** @description Place id */
      apple_maps_id?: string;
      /** @description Place id */
      google_maps_id?: string;
      /** @description Such as Asia/Riyadh */
      time_zone?: string;
      /**
       * Format: binary
       * @description jpg, png, webp or gif, at most 10 MB
       */
      hero_image?: string;
      /**
       * Format: binary
       * @description jpg, png, webp or gif, at most 10 MB
       */
      banner_image?: string;
      /** @description Each jpg, png, webp or gif, at most 10 MB. A text part of this name lists photos to keep, as JSON */
      photos?: string[];
    };
    BranchClosure: {
      id: string;
      from: string;
      /** @description Included */
      until: string;
      reason_en: string;
      reason_ar: string;
      created: string;
    };
    BranchClosureAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["BranchClosure"];
      timestamp: string;
    };
    BranchClosureList: {
      data: components["schemas"]["BranchClosure"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    BranchCreated: {
      success: boolean;
      message: string;
      data: {
        id: string;
        iv_id: string;
        skus_generated: number;
      };
      timestamp: string;
    };
    BranchFee: {
      id: string;
      /** @description Empty for the fee of a service */
      branch_iv_id: string;
      /** @description branch or service */
      kind: string;
      /** @description Empty for the fee of a branch */
      service_code: string;
      /** @description The first day of the month it is for */
      period: string;
      /** @description Without VAT */
      amount_sar: number;
      /** @description The VAT on it */
      vat_sar: number;
      /** @description Both together */
      total_sar: number;
      /** @description Of the total, so far */
      paid_sar: number;
      /** @description total_sar less paid_sar; 0 for a fee that is paid or void */
      outstanding_sar: number;
      /** @description pending, overdue (by the date: due_date is before today in Riyadh), paid or void */
      status: string;
      due_date: string;
      created: string;
    };
    BranchFeeList: {
      data: components["schemas"]["BranchFee"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    BranchFigures: {
      organization_id: string;
      range_days: number;
      currency: string;
      /** @description The highest revenue first */
      items: {
        /** @description null: orders without a branch */
        branch_iv_id: string | null;
        name_en: string | null;
        name_ar: string | null;
        orders: number;
        revenue: number;
        /** @description Share of all revenue, from 0 to 1 */
        share: number;
        cancelled: number;
      }[];
    };
    BranchList: {
      data: components["schemas"]["Branch"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    /** @enum {string} */
    BranchStatus: "New" | "Pending" | "Verifying" | "Published" | "Rejected" | "Terminated";
    Brand: {
      id: string;
      name_en: string;
      name_ar: string;
      created: string;
      updated: string;
    };
    BrandAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Brand"];
      timestamp: string;
    };
    BrandList: {
      data: components["schemas"]["Brand"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    /** @description A name in at least one of the languages */
    BrandNames: {
      name_en?: string | null;
      name_ar?: string | null;
    };
    BulkAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["BulkOutcome"];
      timestamp: string;
    };
    /**
     * @description create fails on what exists, update on what does not
     * @enum {string}
     */
    BulkMode: "create" | "update" | "upsert";
    /** @description Each item succeeds or fails on its own */
    BulkOutcome: {
      succeeded: number;
      failed: number;
      /** @description What was wrong, by the key of the item (iv_id, order id, source_transaction_id), or by #<index> where it has none */
      errors: {
        [key: string]: string;
      };
    };
    /** @description An order in the same form for every channel, with normalised statuses */
    CanonicalOrder: {
      id: string;
      channel: {
        app_slug: string;
        family: string;
        kind: string;
        organization_app_id: string;
        source: string;
      };
      external: {
        order_id: string | null;
        reference: string | null;
        code: string;
        /** Format: date-time */
        placed_at: string;
      };
      status: components["schemas"]["OrderStatus"];
      /** @description The stored status */
      status_raw: string;
      payment: {
        status: components["schemas"]["PaymentStatus"];
        status_raw: string;
        method: string | null;
      };
      fulfillment: {
        status_raw: string;
        method: string | null;
        type: string | null;
        transport: string | null;
        promised_for: string | null;
        is_preorder: boolean;
      };
      amounts: {
        currency: string;
        subtotal: number;
        discounts: number;
        vat: number;
        delivery_fee: number;
        service_fee: number;
        total: number;
      };
      lines: components["schemas"]["OrderLine"][];
      branch: {
        id: string | null;
        reference: string | null;
        name: string | null;
      };
      customer: {
        name: string | null;
        phone: string | null;
        email: string | null;
      };
      receiver: {
        name: string | null;
        phone: string | null;
      };
      shipping_address: {
        [key: string]: unknown;
      } | null;
      comment: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description The payload that the source sent. Only with include=raw */
      raw?: unknown;
    };
    /** @description With format=canonical */
    CanonicalOrderAnswer: {
      spec_version: string;
      organization_id: string;
      order: components["schemas"]["CanonicalOrder"];
    };
    /** @description With format=canonical */
    CanonicalOrderList: {
      spec_version: string;
      organization_id: string;
      orders: components["schemas"]["CanonicalOrder"][];
      pagination: components["schemas"]["Pagination"];
      meta: {
        [key: string]: unknown;
      };
    };
    Capture: {
      /** @description Part of the remaining amount. Default: all of it */
      amount?: number | null;
    };
    CatalogApp: {
      app_slug: string;
      name_en: string;
      name_ar: string;
      /** @enum {unknown} */
      family: "web_store" | "delivery_app" | "marketplace" | "pos" | "till" | "payment" | "erp";
      kind: string;
      /**
       * @description signed: the signature covers the body; secret: a static value or a JWT; token: the ingest token of the install
       * @enum {unknown}
       */
      inbound: "signed" | "secret" | "token" | "none";
      /** @description Whether status changes are pushed to the vendor */
      push: boolean;
      /** @description JSON Schema */
      settings_schema: {
        [key: string]: unknown;
      };
      secrets: string[];
      installed: number;
    };
    Category: {
      id: string;
      name_en: string;
      name_ar: string;
      created: string;
      updated: string;
    };
    CategoryAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Category"];
      timestamp: string;
    };
    CategoryList: {
      data: components["schemas"]["Category"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    /** @description A name in at least one of the languages */
    CategoryNames: {
      name_en?: string | null;
      name_ar?: string | null;
    };
    ClosuresCreated: {
      /** @description How many branches got the closure */
      created: number;
    };
    ClosuresCreatedAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["ClosuresCreated"];
      timestamp: string;
    };
    CommissionRate: {
      partner_id: string;
      partner_name: string;
      erp: string;
      /** @description Rate for future payments */
      rate_percent: number;
      tenants: components["schemas"]["CommissionTenant"][];
    };
    CommissionRateList: {
      items: components["schemas"]["CommissionRate"][];
      /** @description How many there are, also where a cap shows fewer */
      total_items: number;
    };
    CommissionTenant: {
      organization_id: string;
      name_en: string;
      /** @description Its payments while it is a tenant of this partner, less refunds */
      collected_sar: number;
      /** @description Commission on them, at the rate of each payment */
      commission_sar: number;
      /** @description Its part of the partner's payouts */
      paid_sar: number;
      /** @description commission_sar less paid_sar. Below zero where refunds left less commission than was paid out; later commission makes it up */
      due_sar: number;
    };
    ConfirmedPayment: {
      order_id: string;
      provider: string;
      status: string;
      confirmed_app: string;
      confirm_endpoint: string;
      confirm_method: string;
      /** @description The customer has to continue on a phone */
      requires_qr_sms: boolean;
    };
    ConfirmedPaymentAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["ConfirmedPayment"];
      timestamp: string;
    };
    ConnectionResult: {
      ok: boolean;
      /** @description The vendor's status; null without a response */
      status_code: number | null;
      duration_ms: number;
      /** @description Why it failed, in the words of the vendor where it has some; empty if ok */
      message: string;
    };
    Consumption: {
      /** @description The SKU's iv_id */
      sku_id: string;
      product_name_en: string;
      product_name_ar: string;
      branch_iv_id: string;
      /** @description Sold in the range */
      used_qty: number;
      /** @description Per day of the range */
      daily_use: number;
      /** @description Every day of the range, its last 90 at most */
      daily: {
        date: string;
        qty: number;
      }[];
      trend: {
        /**
         * @description Compared with the same number of days before. Steady: within 10 %. New: no use before. None: no use at all
         * @enum {string}
         */
        direction: "rising" | "steady" | "falling" | "new" | "none";
        /** @description As a share of the previous use; null when that is 0 */
        change: number | null;
        /** @description Sold in the same number of days before the range */
        previous_qty: number;
      };
      /** @description Expected over the horizon */
      projected_use: number;
      projected_daily_use: number;
      /** @description The stock that the figures are based on */
      current_qty: number;
      /** @description Whole days until a stockout, median; null: more than a year, or no demand */
      days_of_cover: number | null;
    };
    ConsumptionList: {
      organization_id: string;
      range_days: number;
      horizon: number;
      fetched_at: string;
      /** @description true: something has changed that these forecasts do not know yet (a new day, an upload, stock). They are being made anew */
      stale: boolean;
      items: components["schemas"]["Consumption"][];
      /** @description Of all pages */
      totals: {
        /** @description SKUs with a forecast */
        skus: number;
        used_qty: number;
        daily_use: number;
      };
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
    };
    Credentials: {
      tenant: {
        id: string;
        name_en: string;
        name_ar: string;
        is_active: boolean;
      };
      user: {
        id: string;
        email: string;
        role: string;
        operator_type: string;
      };
      subscription: {
        plan: string;
        status: string;
        period_end: string | null;
        outstanding_sar: number;
        overdue_sar: number;
      };
      wallet: {
        balance_sar: number;
        currency: string;
      };
      token: {
        type: string;
        revoked: boolean;
        issued_at: string;
        expires_at: string | null;
      };
      service_operational: boolean;
    };
    /** @description The customer of all orders with one telephone number or email address */
    Customer: {
      /** @description The same for the same telephone number, else email address */
      id: string;
      name: string | null;
      phone: string | null;
      email: string | null;
      /** @description Orders that are not deleted */
      orders: number;
      /** @description In `currency`. Excludes cancelled and refunded orders */
      spent: number;
      /** @description The currency of the latest order */
      currency: string;
      first_order_at: string;
      last_order_at: string;
    };
    CustomerList: {
      data: components["schemas"]["Customer"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    /** @description One event on its way to one subscription */
    Delivery: {
      id: string;
      subscription_id: string;
      event_id: string;
      event_type: components["schemas"]["EventType"] | "webhook.test";
      status: components["schemas"]["DeliveryStatus"];
      attempts: number;
      next_attempt_at: string | null;
      last_status_code: number | null;
      last_error: string;
      created: string;
      delivered_at: string | null;
      attempt_log: components["schemas"]["DeliveryAttempt"][];
    };
    DeliveryAttempt: {
      at: string;
      status_code: number | null;
      error: string;
      duration_ms: number;
      response_excerpt: string;
    };
    DeliveryList: {
      data: components["schemas"]["Delivery"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    /** @enum {string} */
    DeliveryStatus: "pending" | "delivered" | "dead" | "skipped";
    DeliveryWithPayload: {
      id: string;
      subscription_id: string;
      event_id: string;
      event_type: components["schemas"]["EventType"] | "webhook.test";
      status: components["schemas"]["DeliveryStatus"];
      attempts: number;
      next_attempt_at: string | null;
      last_status_code: number | null;
      last_error: string;
      created: string;
      delivered_at: string | null;
      attempt_log: components["schemas"]["DeliveryAttempt"][];
      /** @description The same with every attempt. The timestamp and the signature are made anew for each and not kept */
      headers: {
        [key: string]: string;
      };
      payload: {
        [key: string]: unknown;
      } | null;
    };
    DemandCsv: string;
    DemandCsvBody: string;
    DemandUploadForm: {
      /**
       * Format: binary
       * @description The CSV file
       */
      file: string;
    };
    /** @enum {string} */
    EventType: "order.cancelled" | "order.created" | "order.deleted" | "order.departed" | "order.invoiced" | "order.refunded" | "order.status_changed" | "order.updated";
    FeeInvoice: {
      /** @description Without gaps over all invoices of the operator */
      number: string;
      /** @description The month, by its first day */
      period: string;
      issued_at: string;
      due_date: string;
      /** @description Without VAT */
      amount_sar: number;
      vat_sar: number;
      /** @description With VAT */
      total_sar: number;
      /** @description What is left to pay of the month */
      outstanding_sar: number;
      /** @description paid, pending or overdue */
      status: string;
      currency: string;
      /** @description The operator, as it was when the invoice was issued */
      seller: {
        name: string;
        name_ar: string;
        vat_number: string;
        address: string;
      };
      /** @description The organization, as it was when the invoice was issued */
      buyer: {
        name_en: string;
        name_ar: string;
        vat_number: string;
        address: string;
      };
      lines: {
        /** @description branch or service */
        kind: string;
        /** @description The branch's iv_id, or the service's code */
        code: string;
        /** @description Name of the branch; empty for services */
        name_en: string;
        name_ar: string;
        amount_sar: number;
        /** @description VAT in per cent of the amount, to one decimal */
        vat_percent: number;
        vat_sar: number;
        total_sar: number;
      }[];
      /** @description Contents of the QR code: base64 of ZATCA tags 1 to 5 */
      qr: string;
    };
    FeeInvoiceRow: {
      /** @description Without gaps over all invoices of the operator */
      number: string;
      /** @description The month, by its first day */
      period: string;
      issued_at: string;
      due_date: string;
      /** @description Without VAT */
      amount_sar: number;
      vat_sar: number;
      /** @description With VAT */
      total_sar: number;
      /** @description What is left to pay of the month */
      outstanding_sar: number;
      /** @description paid, pending or overdue */
      status: string;
    };
    FeeInvoiceRowList: {
      data: components["schemas"]["FeeInvoiceRow"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    FleetMetrics: {
      timestamp: string;
      /** @description All of them */
      total_organizations: number;
      /** @description Neither closed nor suspended */
      active_organizations: number;
      /** @description The others */
      inactive_organizations: number;
      /** @description Sum of branch_count */
      total_branches: number;
      /** @description Sum of user_count: a user of two organizations counts twice */
      total_users: number;
      /** @description Sum of order_count */
      total_orders: number;
      /** @description Sum of order_value */
      total_order_value: number;
      /** @description Sum of collected_sar */
      total_collected_sar: number;
      /** @description Payments that succeeded in the last 30 days in Riyadh, today included */
      collected_last_30d_sar: number;
      /** @description The oldest first */
      organizations: {
        organization_id: string;
        name_en: string;
        name_ar: string;
        /** @description Neither closed nor suspended */
        is_active: boolean;
        /** @description Branches, active or not */
        branch_count: number;
        /** @description Members */
        user_count: number;
        /** @description Orders that were not deleted, a moment behind them */
        order_count: number;
        /** @description Orders in riyals that were neither cancelled nor refunded, a moment behind them */
        order_value: number;
        /** @description Payments that succeeded */
        collected_sar: number;
      }[];
    };
    FleetOrganization: {
      id: string;
      name_en: string;
      name_ar: string;
      plan: string;
      /** @description active, suspended, or inactive where it is closed */
      status: string;
      suspended_at: string | null;
      /** @description billing: ends with the payment; operator: ends by hand. Empty while not suspended */
      suspended_by: string;
      /** @description Empty while not suspended */
      suspension_reason: string;
      branch_count: number;
      user_count: number;
      /** @description Balance of its wallet */
      balance_sar: number;
      /** @description What is left to pay of its open fees */
      outstanding_sar: number;
      /** @description The part of it that was due before today */
      overdue_sar: number;
      created: string;
      updated: string;
    };
    FleetOrganizationList: {
      data: components["schemas"]["FleetOrganization"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    ForecastSettings: {
      /** @description Days from an order to the delivery */
      lead_time_days: number;
      /** @description Target probability that the stock lasts until the delivery */
      service_level: number;
      /** @description Default for SKUs whose own value is 0 */
      reorder_threshold: number;
      /** @description Safety stock for SKUs whose own value is 0, ordered on top */
      buffer: number;
    };
    ForecastSettingsAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["ForecastSettings"];
      timestamp: string;
    };
    ForecastSettingsChange: {
      /** @description Days from an order to the delivery */
      lead_time_days?: number;
      /** @description Target probability that the stock lasts until the delivery */
      service_level?: number;
      reorder_threshold?: number;
      buffer?: number;
    };
    /** @enum {string} */
    FulfillmentMethod: "delivery" | "pickup" | "shipping";
    Health: {
      status: components["schemas"]["HealthStatus"];
      version: string;
      environment: string;
      timestamp: string;
    };
    /** @enum {string} */
    HealthStatus: "healthy" | "degraded" | "unhealthy";
    InvitationAcceptance: {
      /** @description What follows #token= in the link */
      token: string;
      /** @description Not blank. The name of an account that stays as it is does not change */
      name: string;
      /** @description Of the account that the address has, or the one to choose */
      password: string;
      /** @description Where the account that the address has needs a second factor */
      code?: string;
    };
    InvitedMember: {
      /** @description Of the membership. An invitation keeps its id when it is accepted */
      id: string;
      /** @description null while invited, whether or not the address has an account */
      user_id: string | null;
      email: string;
      /** @description Empty while invited */
      name: string;
      role: string;
      /** @description The branch that the account is confined to; empty when that is gone, null for the whole organization */
      branch_iv_id: string | null;
      grants_added: string[];
      grants_withheld: string[];
      /** @description active or invited. An invitation that has expired is no longer listed */
      status: string;
      /** @description To within ten minutes */
      last_seen_at: string | null;
      created: string;
      /** @description When role, branch or grants last changed. In quotes it is the ETag */
      updated: string;
      /** @description Shown this once; works for 7 days */
      invite_url: string;
    };
    InvitedMemberAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["InvitedMember"];
      timestamp: string;
    };
    /** @description A simplified tax invoice */
    Invoice: {
      /** @description The branch's iv_id and a number without gaps */
      invoice_number: string;
      /**
       * Format: date-time
       * @description To the second, as in the QR code
       */
      issued_at: string;
      seller_name: string;
      vat_number: string;
      /** @description With VAT */
      total: number;
      vat: number;
      /** @description Base64 of tags 1 to 5: seller, VAT number, time, total with VAT, VAT */
      qr: string;
      uuid: string;
      /** @description SHA-256 of the canonical XML without the QR code, base64 */
      hash: string;
      /** @description The hash of the branch's previous invoice */
      previous_hash: string;
    };
    InvoiceAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Invoice"];
      timestamp: string;
    };
    InvoiceXml: string;
    Job: {
      id: string;
      type: string;
      status: components["schemas"]["JobStatus"];
      progress: {
        done: number;
        total: number;
      };
      /** @description What the direct call would have answered; null until it succeeds */
      result: unknown;
      /** @description How the direct call would have been refused; null unless it failed */
      error: components["schemas"]["Problem"] | null;
      created: string;
      updated: string;
      finished: string | null;
    };
    /** @enum {string} */
    JobStatus: "queued" | "running" | "succeeded" | "failed";
    LastYear: {
      organization_id: string;
      range_days: number;
      currency: string;
      /** @description 364 days before the first day of the range, so that weekdays match */
      from: string;
      /** @description 364 days before today */
      to: string;
      /** @description Whether the sales of the organization reach back to `from`. Otherwise all figures are 0 */
      is_known: boolean;
      orders: number;
      /** @description Without cancelled and refunded orders, in the organization's currency */
      revenue: number;
      /** @description Change of the range from these figures; null when they are 0 */
      change: {
        /** @description In percent, to the tenth */
        orders: number | null;
        /** @description In percent, to the tenth */
        revenue: number | null;
      };
      /** @description Every day from `from` to `to`; empty when not known */
      trends: {
        date: string;
        orders: number;
        revenue: number;
      }[];
    };
    Lead: {
      id: string;
      name: string;
      email: string;
      phone: string;
      position: string;
      plan: string;
      contact_reason: string;
      erp: string;
      notes: string;
      created: string;
    };
    LeadChange: {
      /**
       * @description new, contacted, qualified, won, lost
       * @enum {unknown}
       */
      status?: "new" | "contacted" | "qualified" | "won" | "lost";
      /** @description An active operator; null: no one */
      assignee_id?: string | null;
    };
    LeadList: {
      leads: components["schemas"]["Lead"][];
    };
    LeadNote: {
      id: string;
      body: string;
      author: {
        id: string;
        name: string;
      };
      created: string;
    };
    LeadNoteList: {
      data: components["schemas"]["LeadNote"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    LeadProblem: {
      data: null;
      message: string;
      status: number;
    };
    LedgerEntry: {
      id: string;
      /** @description topup, branch_fee, service_fee, credit, refund or adjustment */
      entry_type: string;
      /** @description credit: into the wallet; debit: out of it */
      direction: string;
      /** @description Without VAT */
      amount_sar: number;
      /** @description The VAT on it */
      vat_sar: number;
      /** @description Both together: what the wallet moved by */
      total_sar: number;
      reference: string;
      note: string;
      /** @description The fee that it settles */
      branch_fee_id: string | null;
      /** @description The payment that it came from */
      payment_id: string | null;
      created_by: string;
      created: string;
    };
    LedgerEntryList: {
      data: components["schemas"]["LedgerEntry"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    Location: {
      lat: number;
      lon: number;
      city?: string;
    };
    Login: {
      email: string;
      password: string;
      /** @description Of accounts with a second factor: six digits, or a recovery code in their place */
      code?: string;
    };
    LoginSession: {
      id: string;
      /** @description Browser and system by the User-Agent header, or the name of another program. Empty when it names neither */
      device: string;
      /** @description Network address of the login or its last refresh. Empty for logins of earlier releases */
      ip: string;
      created: string;
      /** @description Login or last refresh: to within an hour while it is used */
      last_seen_at: string;
      /** @description The session that this request belongs to */
      current: boolean;
    };
    LoginSessionList: {
      data: components["schemas"]["LoginSession"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    LowStock: {
      organization_id: string;
      /** @description SKUs at or under their threshold */
      skus: number;
      /** @description Those of them with a stock of 0 or less */
      out_of_stock: number;
      /** @description Branches with such SKUs, most first */
      branches: {
        branch_iv_id: string;
        name_en: string;
        name_ar: string;
        skus: number;
        out_of_stock: number;
      }[];
    };
    Member: {
      /** @description Of the membership. An invitation keeps its id when it is accepted */
      id: string;
      /** @description null while invited, whether or not the address has an account */
      user_id: string | null;
      email: string;
      /** @description Empty while invited */
      name: string;
      role: string;
      /** @description The branch that the account is confined to; empty when that is gone, null for the whole organization */
      branch_iv_id: string | null;
      grants_added: string[];
      grants_withheld: string[];
      /** @description active or invited. An invitation that has expired is no longer listed */
      status: string;
      /** @description To within ten minutes */
      last_seen_at: string | null;
      created: string;
      /** @description When role, branch or grants last changed. In quotes it is the ETag */
      updated: string;
    };
    MemberAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Member"];
      timestamp: string;
    };
    /** @description What is absent stays */
    MemberChange: {
      /** @enum {string} */
      role?: "owner" | "member" | "viewer";
      /** @description Confines the account to this branch; null leaves it the whole organization */
      branch_iv_id?: string | null;
      /** @description What the account may do beyond its role, such as update:Settings */
      grants_added?: ("read:Branches" | "create:Branches" | "update:Branches" | "delete:Branches" | "export:Branches" | "import:Branches" | "read:Products" | "create:Products" | "update:Products" | "delete:Products" | "export:Products" | "import:Products" | "read:Orders" | "create:Orders" | "update:Orders" | "delete:Orders" | "export:Orders" | "import:Orders" | "read:Payments" | "create:Payments" | "update:Payments" | "delete:Payments" | "export:Payments" | "import:Payments" | "read:Webhooks" | "create:Webhooks" | "update:Webhooks" | "delete:Webhooks" | "export:Webhooks" | "import:Webhooks" | "read:Apps" | "create:Apps" | "update:Apps" | "delete:Apps" | "export:Apps" | "import:Apps" | "read:Analytics" | "create:Analytics" | "update:Analytics" | "delete:Analytics" | "export:Analytics" | "import:Analytics" | "read:Reports" | "create:Reports" | "update:Reports" | "delete:Reports" | "export:Reports" | "import:Reports" | "read:Settings" | "create:Settings" | "update:Settings" | "delete:Settings" | "export:Settings" | "import:Settings")[];
      /** @description What the account may not do although its role says so; stronger than an added grant */
      grants_withheld?: ("read:Branches" | "create:Branches" | "update:Branches" | "delete:Branches" | "export:Branches" | "import:Branches" | "read:Products" | "create:Products" | "update:Products" | "delete:Products" | "export:Products" | "import:Products" | "read:Orders" | "create:Orders" | "update:Orders" | "delete:Orders" | "export:Orders" | "import:Orders" | "read:Payments" | "create:Payments" | "update:Payments" | "delete:Payments" | "export:Payments" | "import:Payments" | "read:Webhooks" | "create:Webhooks" | "update:Webhooks" | "delete:Webhooks" | "export:Webhooks" | "import:Webhooks" | "read:Apps" | "create:Apps" | "update:Apps" | "delete:Apps" | "export:Apps" | "import:Apps" | "read:Analytics" | "create:Analytics" | "update:Analytics" | "delete:Analytics" | "export:Analytics" | "import:Analytics" | "read:Reports" | "create:Reports" | "update:Reports" | "delete:Reports" | "export:Reports" | "import:Reports" | "read:Settings" | "create:Settings" | "update:Settings" | "delete:Settings" | "export:Settings" | "import:Settings")[];
    };
    MemberList: {
      data: components["schemas"]["Member"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    MendedPayload: {
      /** @description The whole payload as JSON text, so that long numbers keep their digits */
      payload: string;
    };
    NewApiKey: {
      id: string;
      organization_id: string;
      name: string;
      /** @description Last four characters */
      hint: string;
      grants: string[];
      branch_iv_id: string | null;
      revoked: boolean;
      expires_at: string | null;
      /** @description To the minute */
      last_used_at: string | null;
      created: string;
      /** @description Shown this once */
      api_key: string;
    };
    NewApp: {
      id: string;
      app_slug: string;
      name_en: string;
      name_ar: string;
      /** @enum {unknown} */
      family: "web_store" | "delivery_app" | "marketplace" | "pos" | "till" | "payment" | "erp";
      kind: string;
      enabled: boolean;
      /**
       * @description failing: the last ten payloads or pushes all failed
       * @enum {unknown}
       */
      status: "active" | "failing" | "disabled";
      /** @description Secrets show their last four characters only. An account confined to a branch sees the entries of that branch only */
      settings: {
        [key: string]: unknown;
      };
      last_sync_at: string | null;
      created: string;
      updated: string;
      /** @description The URL that the vendor calls */
      ingest_url: string;
      /** @description Authenticates calls of vendors that do not sign them; in this response only */
      ingest_token: string;
    };
    NewAppAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["NewApp"];
      timestamp: string;
    };
    NewBillableService: {
      /** @description letters, digits, dots, dashes and underscores, at most 64; no two services have the same */
      code: string;
      /** @description In English */
      name_en: string;
      /** @description In Arabic name; default: the English one */
      name_ar?: string;
      /** @description Without VAT, each */
      price_sar: number;
      /** @description For people */
      description?: string;
      /** @description Default 15 */
      vat_percent?: number;
      billing_cycle?: components["schemas"]["BillingCycle"];
      /** @description Whether it can be assigned; default true */
      is_active?: boolean;
      /** @description The operator's own notes, as a JSON object of at most 16,384 characters; replaced as a whole */
      metadata?: {
        [key: string]: unknown;
      };
    };
    NewBillingCheckout: {
      /** @description In riyals, in whole halalas: at most two decimal places */
      amount_sar: number;
    };
    NewBillingPayment: {
      /** @description The organization whose money moves */
      organization_id: string;
      /** @description In riyals, in whole halalas: at most two decimal places */
      amount_sar: number;
      /** @enum {string} */
      method: "bank_transfer" | "credit_card" | "debit_card" | "card" | "wallet" | "cash" | "cheque" | "sadad" | "online";
      /** @description Reference of the transfer, receipt or cheque */
      reference: string;
    };
    NewBranch: {
      iv_id: string;
      name_en?: string | null;
      name_ar?: string | null;
      email?: string | null;
      active?: boolean | null;
      status?: components["schemas"]["BranchStatus"] | null;
      apple_maps_id?: string | null;
      google_maps_id?: string | null;
      time_zone?: string | null;
      location?: components["schemas"]["Location"] | null;
      working_hours?: components["schemas"]["WorkingHours"];
    };
    NewBranchForm: {
      iv_id: string;
      /** @description At most 255 characters */
      name_en?: string;
      /** @description At most 255 characters */
      name_ar?: string;
      /** @description Contact address */
      email?: string;
      /** @enum {string} */
      active?: "true" | "false";
      status?: components["schemas"]["BranchStatus"];
      /** @description JSON text */
      location?: string;
      /** @description JSON text, in either style */
      working_hours?: string;
      /** @description Place id */
      apple_maps_id?: string;
      /** @description Place id */
      google_maps_id?: string;
      /** @description Such as Asia/Riyadh */
      time_zone?: string;
      /**
       * Format: binary
       * @description jpg, png, webp or gif, at most 10 MB
       */
      hero_image?: string;
      /**
       * Format: binary
       * @description jpg, png, webp or gif, at most 10 MB
       */
      banner_image?: string;
      /** @description Each jpg, png, webp or gif, at most 10 MB. A text part of this name lists photos to keep, as JSON */
      photos?: string[];
    };
    NewClosure: {
      /**
       * Format: date
       * @description First closed day, by the clock of the branch
       */
      from: string;
      /**
       * Format: date
       * @description Last closed day, included
       */
      until: string;
      /** @description Why, in English */
      reason_en?: string;
      /** @description Why, in Arabic */
      reason_ar?: string;
    };
    NewClosures: {
      /**
       * Format: date
       * @description First closed day, by the clock of the branch
       */
      from: string;
      /**
       * Format: date
       * @description Last closed day, included
       */
      until: string;
      /** @description Why, in English */
      reason_en?: string;
      /** @description Why, in Arabic */
      reason_ar?: string;
      /** @description Branches to close; required unless `all` is true */
      branch_iv_ids?: string[];
      /** @description Every branch of the organization */
      all?: boolean;
    };
    NewIngestToken: {
      id: string;
      ingest_url: string;
      /** @description Shown this once */
      ingest_token: string;
    };
    NewIngestTokenAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["NewIngestToken"];
      timestamp: string;
    };
    /** @description email and name are required */
    NewLead: {
      /** @description Taken as it is, white space included */
      name?: unknown;
      /** @description local@host.tld */
      email?: unknown;
      phone?: unknown;
      position?: unknown;
      plan?: unknown;
      contact_reason?: unknown;
      /** @description null is kept as an empty string */
      erp?: unknown;
      /** @description null is kept as an empty string */
      notes?: unknown;
    };
    NewLeadNote: {
      /** @description Plain text */
      body: string;
    };
    NewMember: {
      /** Format: email */
      email: string;
      /** @enum {string} */
      role: "owner" | "member" | "viewer";
      /** @description Confines the account to this branch; null leaves it the whole organization */
      branch_iv_id?: string | null;
      /** @description What the account may do beyond its role, such as update:Settings */
      grants_added?: ("read:Branches" | "create:Branches" | "update:Branches" | "delete:Branches" | "export:Branches" | "import:Branches" | "read:Products" | "create:Products" | "update:Products" | "delete:Products" | "export:Products" | "import:Products" | "read:Orders" | "create:Orders" | "update:Orders" | "delete:Orders" | "export:Orders" | "import:Orders" | "read:Payments" | "create:Payments" | "update:Payments" | "delete:Payments" | "export:Payments" | "import:Payments" | "read:Webhooks" | "create:Webhooks" | "update:Webhooks" | "delete:Webhooks" | "export:Webhooks" | "import:Webhooks" | "read:Apps" | "create:Apps" | "update:Apps" | "delete:Apps" | "export:Apps" | "import:Apps" | "read:Analytics" | "create:Analytics" | "update:Analytics" | "delete:Analytics" | "export:Analytics" | "import:Analytics" | "read:Reports" | "create:Reports" | "update:Reports" | "delete:Reports" | "export:Reports" | "import:Reports" | "read:Settings" | "create:Settings" | "update:Settings" | "delete:Settings" | "export:Settings" | "import:Settings")[];
      /** @description What the account may not do although its role says so; stronger than an added grant */
      grants_withheld?: ("read:Branches" | "create:Branches" | "update:Branches" | "delete:Branches" | "export:Branches" | "import:Branches" | "read:Products" | "create:Products" | "update:Products" | "delete:Products" | "export:Products" | "import:Products" | "read:Orders" | "create:Orders" | "update:Orders" | "delete:Orders" | "export:Orders" | "import:Orders" | "read:Payments" | "create:Payments" | "update:Payments" | "delete:Payments" | "export:Payments" | "import:Payments" | "read:Webhooks" | "create:Webhooks" | "update:Webhooks" | "delete:Webhooks" | "export:Webhooks" | "import:Webhooks" | "read:Apps" | "create:Apps" | "update:Apps" | "delete:Apps" | "export:Apps" | "import:Apps" | "read:Analytics" | "create:Analytics" | "update:Analytics" | "delete:Analytics" | "export:Analytics" | "import:Analytics" | "read:Reports" | "create:Reports" | "update:Reports" | "delete:Reports" | "export:Reports" | "import:Reports" | "read:Settings" | "create:Settings" | "update:Settings" | "delete:Settings" | "export:Settings" | "import:Settings")[];
    };
    NewOrder: {
      source?: string | null;
      destination?: string | null;
      order_status: string;
      payment_status?: components["schemas"]["NewPaymentStatus"] | null;
      fulfillment_status: string;
      fulfillment_method?: components["schemas"]["FulfillmentMethod"] | null;
      payment_method?: components["schemas"]["PaymentMethod"] | null;
      currency?: string | null;
      skus: string[];
      products: components["schemas"]["NewOrderLine"][];
      source_reference?: string | null;
      source_transaction_id?: string | null;
      source_timestamp?: string | null;
      destination_reference?: string | null;
      total_amount?: number | null;
      discounts_amount?: number | null;
      vat_amount?: number | null;
      customer_name?: string | null;
      customer_phone?: string | null;
      customer_email?: string | null;
      receiver_name?: string | null;
      receiver_phone?: string | null;
      shipping_address?: {
        [key: string]: unknown;
      } | null;
      order_type?: string | null;
      transport_type?: string | null;
      comment?: string | null;
      promised_for?: string | null;
      is_preorder?: boolean | null;
      delivery_fee?: number | null;
      service_fee?: number | null;
      subtotal?: number | null;
      dispatch_routing?: {
        [key: string]: unknown;
      } | null;
      shipping_fulfillment?: {
        [key: string]: unknown;
      } | null;
    };
    NewOrderLine: {
      product_id: string;
      sku_id: string;
      name?: string | null;
      quantity?: number | null;
      price?: number | null;
    } & {
      [key: string]: unknown;
    };
    NewOrderNote: {
      /** @description 1 to 2000 characters without the spaces around it */
      body: string;
    };
    NewOrderTags: {
      /** @description At most 10, each of 1 to 40 characters. Two spellings of one tag (case, accents, Arabic letter variants) count as the same */
      tags: string[];
    };
    NewOrganization: {
      name_en: string;
      name_ar: string;
      /**
       * Format: email
       * @description The address that is invited as first owner
       */
      owner_email: string;
      /** @description A plan with a price: starter, standard, growth, enterprise */
      plan: string;
    };
    NewPartner: {
      name: string;
      /** @description The ERP system it sells */
      erp?: string;
      /** @description At most two decimal places */
      rate_percent: number;
    };
    NewPartnerCommission: {
      /** @description The partner that is paid */
      partner_id: string;
      /** @description A payee of this partner */
      partner_user_id: string;
      /** @description the month that it is for, YYYY-MM */
      period: string;
      /** @description The bank's reference of the transfer */
      bank_reference: string;
      /**
       * Format: date-time
       * @description When the bank made the transfer; default: now
       */
      paid_at?: string;
      /** @description At most what is due to the partner */
      amount_sar: number;
    };
    NewPartnerCommissionForm: {
      /** @description The partner that is paid */
      partner_id: string;
      /** @description A payee of this partner */
      partner_user_id: string;
      /** @description the month that it is for, YYYY-MM */
      period: string;
      /** @description The bank's reference of the transfer */
      bank_reference: string;
      /**
       * Format: date-time
       * @description When the bank made the transfer; default: now
       */
      paid_at?: string;
      /** @description Digits, such as 12.50 */
      amount_sar: string;
      /**
       * Format: binary
       * @description pdf, jpg, png, webp or gif by content, at most 10 MB
       */
      proof?: string;
    };
    NewPartnerUser: {
      /** @description The partner */
      partner_id: string;
      name: string;
      /** Format: email */
      email: string;
      /** @description Spaces are ignored. Never shown again, only masked */
      iban: string;
    };
    NewPaylink: {
      /** @description The order to pay; its total, lines and customer are used */
      order_id?: string | null;
      /** @description Required without order_id */
      amount?: number | null;
      currency?: string | null;
      line_items?: components["schemas"]["PaymentLine"][] | null;
      customer?: components["schemas"]["PaymentCustomer"] | null;
    };
    NewPaymentOrder: {
      /** @description Provider ids of GET /providers, preferred first. Providers without payment links are ignored */
      providers: string[];
      order: {
        total_amount: number;
        currency: string;
        line_items: components["schemas"]["PaymentLine"][];
      };
    };
    /** @enum {string} */
    NewPaymentStatus: "pending" | "processing" | "completed" | "failed" | "refunded";
    NewPost: {
      /** @description In English */
      title_en: string;
      /** @description In Arabic */
      title_ar: string;
      /** @description Plain text in English */
      body_en?: string;
      /** @description Plain text in Arabic */
      body_ar?: string;
      /**
       * Format: date-time
       * @description Shown from this time on; default: now
       */
      from?: string;
      /** @description null: no end */
      until?: string | null;
      audience?: components["schemas"]["PostAudience"];
    };
    NewPriceSchedule: {
      sku_iv_ids: string[];
      /** @description Either price or percent */
      price?: number;
      /** @description Of the effective price at the start */
      percent?: number;
      /** @description RFC 3339 with an offset. In the past: at once */
      starts_at: string;
      /** @description Then the earlier prices return. Absent: the new prices stay */
      ends_at?: string;
    };
    NewProduct: {
      iv_id: string;
      name_en?: string | null;
      name_ar?: string | null;
      /** @description Default price of the SKUs */
      average_price?: number | null;
      /** @description VAT in percent */
      vat_value?: number | null;
      /** @description Unique in the organization when not empty */
      barcode?: string | null;
      /** @description An existing brand */
      brand_id?: string | null;
      /** @description An existing category */
      category_id?: string | null;
      /** @description Generic medicine that this product is a brand of */
      generic_id?: string | null;
      /** @description True by default */
      is_enabled?: boolean | null;
    };
    NewProductImage: {
      /**
       * Format: binary
       * @description jpg, png or webp by content, at most 10 MB
       */
      file: string;
      /** @description What it shows */
      alt_en?: string;
      /** @description What it shows, in Arabic */
      alt_ar?: string;
    };
    NewServiceAssignment: {
      /** @description The install */
      organization_app_id: string;
      /** @description A service that is active */
      service_id: string;
      /** @description Without VAT, each; default: the price of the catalog */
      price_sar?: number;
      /** @description Number of units */
      quantity?: number;
      /**
       * Format: date-time
       * @description Charged for months that begin then or later
       */
      starts_at?: string;
    };
    NewSessionToken: {
      id: string;
      name: string;
      organization_id: string | null;
      /** @description Last four characters */
      hint: string;
      revoked: boolean;
      expires_at: string | null;
      created: string;
      /** @description Shown this once */
      token: string;
    };
    NewWebhookSubscription: {
      /** @description https, and never a private address */
      url: string;
      description?: string | null;
      event_types?: components["schemas"]["EventType"][] | null;
    };
    OpenedOrganization: {
      id: string;
      name_en: string;
      name_ar: string;
      plan: string;
      /** @description active, suspended, or inactive where it is closed */
      status: string;
      suspended_at: string | null;
      /** @description billing: ends with the payment; operator: ends by hand. Empty while not suspended */
      suspended_by: string;
      /** @description Empty while not suspended */
      suspension_reason: string;
      branch_count: number;
      user_count: number;
      /** @description Balance of its wallet */
      balance_sar: number;
      /** @description What is left to pay of its open fees */
      outstanding_sar: number;
      /** @description The part of it that was due before today */
      overdue_sar: number;
      created: string;
      updated: string;
      owner_email: string;
      /** @description Shown only in this response; valid for 7 days */
      invite_url: string;
      /** @description The address has an account that was never verified: accepting the link resets it */
      resets_account: boolean;
      /** @description Ids of organizations in which that account is a member and would get a pending invitation */
      affected_organizations: string[];
    };
    Operator: {
      id: string;
      /** @description The email address where there is none */
      name: string;
      email: string;
    };
    OperatorAuditEntry: {
      /** @description All zeros for records that belong to no organization */
      organization_id: string;
      id: string;
      at: string;
      actor: {
        /**
         * @description operator: an account of the service's operator; cli: its command line; system: the service itself
         * @enum {string}
         */
        kind: "user" | "api_key" | "operator" | "system" | "cli";
        id: string;
        /** @description Name at that time: of a user the name or the email address, of an API key its name */
        name: string;
        /** @description Present when an operator acted inside the organization for support: the grant that allowed it */
        support_grant_id?: string;
      };
      action: string;
      resource: string;
      resource_id: string;
      /** @description Field names, never values */
      changed_fields: string[];
      /** @description Empty when there was no request */
      ip: string;
      /** @description As in the response header x-request-id; empty when there was no request */
      request_id: string;
    };
    OperatorAuditEntryList: {
      data: components["schemas"]["OperatorAuditEntry"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    OperatorList: {
      items: components["schemas"]["Operator"][];
      /** @description How many there are, also where a cap shows fewer */
      total_items: number;
    };
    OperatorSupportState: {
      /** @description The open one */
      grant: components["schemas"]["SupportGrant"] | null;
      /** @description Your last one, open or not */
      request: components["schemas"]["SupportRequest"] | null;
    };
    /** @description An order as it is stored */
    Order: {
      id: string;
      organization_id: string;
      source_reference: string | null;
      source_transaction_id: string | null;
      source_timestamp: string | null;
      destination_id: string | null;
      destination_reference: string | null;
      /** @description As the source sent it. The canonical form has the normalised order_status */
      order_status: string;
      /** @description As the source sent it. The canonical form has the normalised fulfillment_status */
      fulfillment_status: string;
      /** @description As the source sent it. The canonical form has the normalised payment_status */
      payment_status: string;
      fulfillment_method: string | null;
      payment_method: string | null;
      currency: string;
      total_amount: number;
      discounts_amount: number;
      vat_amount: number;
      customer_name: string | null;
      customer_phone: string | null;
      customer_email: string | null;
      receiver_name: string | null;
      receiver_phone: string | null;
      skus: string[];
      products: {
        [key: string]: unknown;
      }[];
      shipping_address: {
        [key: string]: unknown;
      } | null;
      order_code: string;
      order_type: string | null;
      transport_type: string | null;
      comment: string | null;
      promised_for: string | null;
      is_preorder: boolean;
      delivery_fee: number;
      service_fee: number;
      subtotal: number;
      store_name: string | null;
      dispatch_routing: {
        [key: string]: unknown;
      } | null;
      shipping_fulfillment: {
        [key: string]: unknown;
      } | null;
      created_at: string;
      updated_at: string;
    };
    OrderAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Order"];
      timestamp: string;
    };
    OrderBulk: {
      /** @constant */
      mode: "create";
      orders: components["schemas"]["NewOrder"][];
    } | components["schemas"]["NewOrder"][];
    OrderBulkAnswer: {
      success: boolean;
      data: components["schemas"]["BulkOutcome"];
      timestamp: string;
    };
    OrderChanges: {
      spec_version: string;
      organization_id: string;
      events: components["schemas"]["OrderEvent"][];
      next_cursor: string;
      has_more: boolean;
    };
    OrderCreated: {
      success: boolean;
      message: string;
      data: {
        id: string;
        order_number: string;
      };
      timestamp: string;
    };
    OrderDeletion: {
      order_ids: string[];
    } | string[];
    /** @description A change of an order */
    OrderEvent: {
      spec_version: string;
      /** @description Equals the webhook-id header of its deliveries */
      id: string;
      type: components["schemas"]["EventType"];
      /**
       * Format: date-time
       * @description To the microsecond
       */
      occurred_at: string;
      organization_id: string;
      /** @description Its place in the feed. Sorts as text */
      cursor: string;
      order_id: string;
      /** @description The word after the dot of the type */
      change: string;
      /** @description By the names of the order; empty on creation */
      changed_fields: string[];
      /** @description Empty on creation */
      status_from: components["schemas"]["OrderStatus"] | "";
      status_to: components["schemas"]["OrderStatus"];
      /** @description Empty on creation */
      payment_status_from: components["schemas"]["PaymentStatus"] | "";
      payment_status_to: components["schemas"]["PaymentStatus"];
      /** @description The order after the change */
      order: components["schemas"]["CanonicalOrder"];
    };
    OrderLine: {
      product_id: string;
      sku_id: string;
      name: string | null;
      quantity: number;
      unit_price: number;
      total: number;
    };
    /** @description The default format */
    OrderList: {
      spec_version: string;
      event_type: string;
      occurred_at: string;
      organization_id: string;
      orders: components["schemas"]["OrderSnapshot"][];
      pagination: components["schemas"]["Pagination"];
      meta: {
        [key: string]: unknown;
      };
    };
    /** @description A note that the team wrote about an order */
    OrderNote: {
      id: string;
      order_id: string;
      body: string;
      author: {
        /** @description user, api_key or operator */
        kind: string;
        id: string;
        /** @description As it was when the note was written */
        name: string;
      };
      created: string;
    };
    OrderNoteAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["OrderNote"];
      timestamp: string;
    };
    OrderNoteList: {
      data: components["schemas"]["OrderNote"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    OrderReplacement: {
      source?: string | null;
      destination?: string | null;
      order_status: string;
      payment_status?: components["schemas"]["StoredPaymentStatus"] | null;
      fulfillment_status: string;
      fulfillment_method?: components["schemas"]["FulfillmentMethod"] | null;
      payment_method?: components["schemas"]["PaymentMethod"] | null;
      currency?: string | null;
      skus: string[];
      products: components["schemas"]["NewOrderLine"][];
      source_reference?: string | null;
      source_transaction_id?: string | null;
      source_timestamp?: string | null;
      destination_reference?: string | null;
      total_amount?: number | null;
      discounts_amount?: number | null;
      vat_amount?: number | null;
      customer_name?: string | null;
      customer_phone?: string | null;
      customer_email?: string | null;
      receiver_name?: string | null;
      receiver_phone?: string | null;
      shipping_address?: {
        [key: string]: unknown;
      } | null;
      order_type?: string | null;
      transport_type?: string | null;
      comment?: string | null;
      promised_for?: string | null;
      is_preorder?: boolean | null;
      delivery_fee?: number | null;
      service_fee?: number | null;
      subtotal?: number | null;
      dispatch_routing?: {
        [key: string]: unknown;
      } | null;
      shipping_fulfillment?: {
        [key: string]: unknown;
      } | null;
    };
    /** @description An order as it stands now */
    OrderSnapshot: {
      spec_version: string;
      event_id: string;
      event_type: string;
      occurred_at: string;
      organization_id: string;
      organization_app_id: string;
      app_slug: string;
      order: components["schemas"]["Order"];
    };
    /**
     * @description The normalised status, the same for every source
     * @enum {string}
     */
    OrderStatus: "received" | "ready_for_pickup" | "dispatched" | "delivered" | "cancelled" | "pending_payment" | "unknown";
    OrderStatusBulk: {
      updates: components["schemas"]["OrderStatusUpdate"][];
    };
    OrderStatusChange: {
      order_status?: string;
      payment_status?: components["schemas"]["StoredPaymentStatus"];
      fulfillment_status?: string;
      notes?: string | null;
    };
    OrderStatusChanged: {
      success: boolean;
      message: string;
      timestamp: string;
      data: {
        id: string;
        updated: {
          order_status: string;
          timestamp: string;
        };
        /** @description Orders of a vendor: the app whose API received the status, or null when no call was made */
        forwarded_to?: string | null;
        /** @description Why the status was not sent to the vendor: the install has no credentials */
        not_forwarded?: string;
      };
      forwarded_to?: string;
    };
    OrderStatusUpdate: {
      id: string;
      order_status?: string;
      payment_status?: components["schemas"]["StoredPaymentStatus"];
      fulfillment_status?: string;
    };
    OrderTagCount: {
      tag: string;
      orders: number;
    };
    OrderTagCounts: {
      data: components["schemas"]["OrderTagCount"][];
      count: number;
    };
    /** @description The tags of an order, in the order in which they were set */
    OrderTags: {
      order_id: string;
      tags: string[];
    };
    OrderTagsAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["OrderTags"];
      timestamp: string;
    };
    OrderTimeline: {
      spec_version: string;
      organization_id: string;
      order_id: string;
      page: number;
      limit: number;
      /** @description Whether the next page has later events */
      has_next: boolean;
      /** @description The events of the last 30 days as in the change feed, oldest first */
      events: components["schemas"]["OrderEvent"][];
    };
    OrdersDashboard: {
      organization_id: string;
      /** @description Created since midnight in the organization's time zone. Revenue excludes cancelled and refunded orders and is in the organization's most used currency */
      today: {
        orders: number;
        revenue: number;
      };
      /** @description Neither delivered nor cancelled, whenever they were created */
      open: number;
      /** @description Open and past promised_for */
      late: number;
      /** @description All orders by normalised status. All seven statuses are present */
      by_status: {
        received: number;
        ready_for_pickup: number;
        dispatched: number;
        delivered: number;
        cancelled: number;
        pending_payment: number;
        unknown: number;
      };
      /** @description Today's, busiest first */
      by_channel: {
        app_slug: string;
        orders: number;
        revenue: number;
      }[];
      /** @description Today's, busiest first. Orders without a branch are under null */
      by_branch: {
        branch_id: string | null;
        store_name: string | null;
        orders: number;
        revenue: number;
      }[];
    };
    Organization: {
      id: string;
      name_en: string;
      name_ar: string;
      time_zone: string;
      currency: string;
      /** @description Empty where there is none */
      vat_number: string;
      address: string;
      /** @description Whether members need a second factor */
      require_totp: boolean;
      plan: string;
      is_active: boolean;
      created: string;
      updated: string;
    };
    OrganizationAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Organization"];
      timestamp: string;
    };
    /** @description What is absent stays */
    OrganizationChange: {
      name_en?: string;
      name_ar?: string;
      /** @description Such as Asia/Riyadh */
      time_zone?: string;
      /** @description Three letters of ISO 4217 */
      currency?: string;
      /** @description 15 digits, 3 the first and the last of them; empty clears it */
      vat_number?: string;
      address?: string;
      require_totp?: boolean;
    };
    OrganizationUsage: {
      organization_id: string;
      /** @description Oldest first, one for each day. Orders and deliveries by the day of the organization, ingest by the day in UTC */
      days: {
        date: string;
        /** @description Orders placed, without deleted ones */
        orders: number;
        /** @description Deliveries made, whatever became of them */
        webhook_deliveries: number;
        /** @description Payloads that vendors sent */
        ingest: number;
      }[];
      /** @description Of these days */
      totals: {
        /** @description Orders placed, without deleted ones */
        orders: number;
        /** @description Deliveries made, whatever became of them */
        webhook_deliveries: number;
        /** @description Payloads that vendors sent */
        ingest: number;
      };
      /** @description Members */
      users: number;
      branches: number;
      products: number;
    };
    OwnBilling: {
      organization_id: string;
      plan: string;
      /** @description active, past_due (something is overdue) or suspended */
      status: string;
      /** @description End of the last charged month in Riyadh, or a later end that the operator set; null before the first charge. The same as in GET /auth/credentials */
      period_end: string | null;
      /** @description null while not suspended */
      suspension: {
        since: string;
        /** @description billing: for unpaid fees; operator: by hand */
        by: string;
        reason: string;
        /** @description Instructions for the merchant */
        what_to_do: string;
      } | null;
      /** @description What a branch costs a month, without VAT */
      branch_fee_sar: number;
      vat_percent: number;
      fees: {
        /** @description What is left to pay of all open fees */
        outstanding_sar: number;
        /** @description The part of it that was due before today */
        overdue_sar: number;
      };
      /** @description The wallet */
      balance_sar: number;
      currency: string;
      /** @description off, or sandbox: fees can be paid at POST /billing/payments, without real money */
      online_payments: string;
      /** @description When the fees of the next month are charged */
      next_charge_date: string;
    };
    Pagination: {
      page: number;
      per_page: number;
      total_items: number;
      total_pages: number;
      has_next: boolean;
      has_prev: boolean;
    };
    Partner: {
      id: string;
      name: string;
      erp: string;
      /** @description Rate for future payments */
      rate_percent: number;
      created: string;
      updated: string;
    };
    PartnerChange: {
      name?: string;
      /** @description The ERP system it sells */
      erp?: string;
      /** @description At most two decimal places */
      rate_percent?: number;
    };
    PartnerCommission: {
      id: string;
      partner_id: string;
      partner_user_id: string;
      amount_sar: number;
      /** @description YYYY-MM */
      period: string;
      bank_reference: string;
      paid_at: string;
      has_proof: boolean;
      created: string;
    };
    PartnerCommissionPage: {
      page: number;
      perPage: number;
      totalItems: number;
      items: components["schemas"]["PartnerCommission"][];
    };
    PartnerUser: {
      id: string;
      partner_id: string;
      name: string;
      email: string;
      /** @description The country and the last four digits */
      iban_masked: string;
    };
    PartnerUserChange: {
      name?: string;
      /** Format: email */
      email?: string;
      /** @description Spaces are ignored. Never shown again, only masked */
      iban?: string;
    };
    PartnerUserList: {
      items: components["schemas"]["PartnerUser"][];
      /** @description How many there are, also where a cap shows fewer */
      total_items: number;
    };
    PasswordChange: {
      current_password: string;
      new_password: string;
    };
    PasswordReset: {
      /** @description What follows #token= in the link */
      token: string;
      password: string;
    };
    Paylink: {
      id: string;
      provider: string;
      order_id: string | null;
      /**
       * @description authorized: the customer has agreed and an amount is left to capture. captured: nothing is left to capture
       * @enum {unknown}
       */
      status: "created" | "authorized" | "captured" | "cancelled" | "expired" | "failed" | "refunded";
      amount: number;
      currency: string;
      /** @description The page on which the customer agrees to pay */
      url: string;
      /** @description The payment's id at the provider */
      provider_reference: string;
      captured_amount: number;
      refunded_amount: number;
      created: string;
      updated: string;
      expires_at: string | null;
    };
    PaylinkAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Paylink"];
      timestamp: string;
    };
    PaylinkList: {
      data: components["schemas"]["Paylink"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    PaymentConfirmation: {
      provider: string;
    };
    PaymentCustomer: {
      name?: string | null;
      phone?: string | null;
      email?: string | null;
    };
    PaymentLine: {
      sku: string;
      name: string;
      qty: number;
      price: number;
    };
    /** @enum {string} */
    PaymentMethod: "credit_card" | "debit_card" | "cash" | "bank_transfer" | "wallet";
    PaymentOrder: {
      order_id: string;
      accepted_gateways: string[];
      /** @description The first accepted gateway, which was asked for the payment page */
      active_gateway: string;
      app_slug: string;
      execute_endpoint: string;
      execute_method: string;
      next_action: {
        type: string;
        url: string;
      };
    };
    PaymentOrderAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["PaymentOrder"];
      timestamp: string;
    };
    /**
     * @description The normalised payment status, the same for every source
     * @enum {string}
     */
    PaymentStatus: "pending" | "paid" | "refunded" | "failed" | "cancelled" | "unknown";
    Ping: {
      message: string;
      timestamp: string;
    };
    PipelineLead: {
      id: string;
      name: string;
      email: string;
      phone: string;
      position: string;
      plan: string;
      contact_reason: string;
      erp: string;
      notes: string;
      created: string;
      /** @description new, contacted, qualified, won, lost */
      status: string;
      /** @description The operator who works on it; null: no one */
      assignee: {
        id: string;
        name: string;
      } | null;
      /** @description How many notes operators have written; `notes` is text of the form */
      notes_count: number;
      /** @description When status, assignee or notes changed last; the time of the form before */
      updated: string;
    };
    PipelineLeadList: {
      data: components["schemas"]["PipelineLead"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    Plan: {
      code: string;
      /** @description What a branch costs a month, without VAT */
      branch_fee_sar: number;
      vat_percent: number;
      /** @description How many organizations have this plan */
      organizations: number;
    };
    PlanChange: {
      /** @description In whole halalas */
      branch_fee_sar?: number;
      /** @description At most two decimal places */
      vat_percent?: number;
    };
    PlanList: {
      items: components["schemas"]["Plan"][];
      /** @description How many there are, also where a cap shows fewer */
      total_items: number;
    };
    Post: {
      id: string;
      title_en: string;
      title_ar: string;
      body_en: string;
      body_ar: string;
      from: string;
      until: string | null;
      audience: components["schemas"]["ShownAudience"];
      created: string;
      updated: string;
    };
    /** @description All organizations, or a list of their ids */
    PostAudience: "all" | string[];
    PostChange: {
      /** @description In English */
      title_en?: string;
      /** @description In Arabic */
      title_ar?: string;
      /** @description Plain text in English */
      body_en?: string;
      /** @description Plain text in Arabic */
      body_ar?: string;
      /**
       * Format: date-time
       * @description Shown from then on
       */
      from?: string;
      /** @description null: no end */
      until?: string | null;
      audience?: components["schemas"]["PostAudience"];
    };
    PostList: {
      items: components["schemas"]["Post"][];
      /** @description How many there are, also where a cap shows fewer */
      total_items: number;
    };
    PriceChange: {
      /** @description 10 raises by a tenth, -10 lowers by a tenth. At most two decimals */
      percent: number;
      /**
       * @description To the nearest multiple; none rounds to the digits of the currency
       * @default none
       * @enum {string}
       */
      rounding: "none" | "0.05" | "0.25" | "0.50" | "1.00";
      /** @description Absent fields select everything. An account confined to one branch changes that branch */
      filter: {
        /** @description Only these products */
        product_iv_ids?: string[];
        /** @description Only in these branches */
        branch_iv_ids?: string[];
        /** @description Only products of this category */
        category_id?: string;
        /** @description Only products of this brand */
        brand_id?: string;
      };
      /**
       * @description Only show what would change
       * @default false
       */
      dry_run: boolean;
    };
    PriceChangeResult: {
      /** @description false for a dry run */
      applied: boolean;
      /** @description SKUs whose price changes. Exact */
      total: number;
      /** @description The first 200 by product and branch */
      rows: components["schemas"]["PriceChangeRow"][];
      /** @description The own prices before, as POST /skus/bulk takes them. null for a dry run and for more than 1000 SKUs */
      undo: {
        iv_id: string;
        price: number | null;
      }[] | null;
    };
    PriceChangeResultAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["PriceChangeResult"];
      timestamp: string;
    };
    PriceChangeRow: {
      sku_iv_id: string;
      product_iv_id: string;
      branch_iv_id: string;
      name_en: string;
      name_ar: string;
      /** @description The effective price */
      price_before: number;
      price_after: number;
    };
    /** @description Prices of SKUs for a period */
    PriceSchedule: {
      id: string;
      price: number | null;
      percent: number | null;
      starts_at: string;
      ends_at: string | null;
      /** @enum {string} */
      status: "scheduled" | "active" | "ended";
      /** @description How many SKUs it has */
      skus: number;
      /** @description The first five */
      first_sku_iv_ids: string[];
      created: string;
    };
    PriceScheduleKey: {
      id: string;
      skus: number;
    };
    PriceScheduleKeyAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["PriceScheduleKey"];
      timestamp: string;
    };
    PriceScheduleList: {
      data: components["schemas"]["PriceSchedule"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    /** @description A refusal: the HTTP status, what is wrong in a few words, and the fields or the sentence that say more */
    Problem: {
      code: number;
      error: string;
      details: {
        [key: string]: unknown;
      } | string;
    };
    /** @description What is sold, in whichever branch */
    Product: {
      id: string;
      iv_id: string;
      organization_id: string;
      name_en: string;
      name_ar: string;
      average_price: number;
      vat_value: number;
      /** @description Empty when there is none */
      barcode: string;
      brand_id: string | null;
      category_id: string | null;
      generic_id: string;
      is_enabled: boolean;
      is_deleted: boolean;
      /** @description In their order; the first is the one of lists */
      images: components["schemas"]["ProductImage"][];
      created: string;
      updated: string;
    };
    ProductAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Product"];
      timestamp: string;
    };
    ProductBulk: {
      mode: components["schemas"]["BulkMode"];
      /** @description An update keeps the fields that are absent; null sets the default */
      products: components["schemas"]["NewProduct"][];
    };
    ProductChange: {
      iv_id?: string;
      name_en?: string | null;
      name_ar?: string | null;
      /** @description Default price of the SKUs */
      average_price?: number | null;
      /** @description VAT in percent */
      vat_value?: number | null;
      /** @description Unique in the organization when not empty */
      barcode?: string | null;
      /** @description An existing brand */
      brand_id?: string | null;
      /** @description An existing category */
      category_id?: string | null;
      /** @description Generic medicine that this product is a brand of */
      generic_id?: string | null;
      /** @description True by default */
      is_enabled?: boolean | null;
    };
    ProductImage: {
      id: string;
      /** @description Needs no token and never changes: another image has another address */
      url: string;
      /** @description What it shows, for those who cannot see it */
      alt_en: string;
      alt_ar: string;
    };
    ProductImageOrder: {
      /** @description Of an image of this product */
      id: string;
      /** @description Absent: stays; null: none */
      alt_en?: string | null;
      /** @description Absent: stays; null: none */
      alt_ar?: string | null;
    };
    ProductImages: {
      /** @description In the wanted order. Images that are left out are removed */
      images: components["schemas"]["ProductImageOrder"][];
    };
    ProductKey: {
      id: string;
      iv_id: string;
    };
    ProductKeyAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["ProductKey"];
      timestamp: string;
    };
    ProductList: {
      data: components["schemas"]["Product"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    ProductReplacement: {
      iv_id?: string;
      name_en?: string | null;
      name_ar?: string | null;
      /** @description Default price of the SKUs */
      average_price?: number | null;
      /** @description VAT in percent */
      vat_value?: number | null;
      /** @description Unique in the organization when not empty */
      barcode?: string | null;
      /** @description An existing brand */
      brand_id?: string | null;
      /** @description An existing category */
      category_id?: string | null;
      /** @description Generic medicine that this product is a brand of */
      generic_id?: string | null;
      /** @description True by default */
      is_enabled?: boolean | null;
    };
    Provider: {
      id: string;
      /**
       * @description bnpl: supports payment links. gateway_sync: its transactions are matched to orders
       * @enum {unknown}
       */
      type: "bnpl" | "gateway_sync";
      name_en: string;
      name_ar: string;
      app_slug: string;
      installed: boolean;
      enabled: boolean;
    };
    ProviderList: {
      data: components["schemas"]["Provider"][];
    };
    QueuedAnswer: {
      success: boolean;
      message: string;
      data: {
        job_id: string;
        status_url: string;
      };
      timestamp: string;
    };
    Received: {
      staging_id: string;
    };
    ReceivedAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Received"];
      timestamp: string;
    };
    RecentBranchFee: {
      id: string;
      /** @description Empty for the fee of a service */
      branch_iv_id: string;
      /** @description branch or service */
      kind: string;
      /** @description Empty for the fee of a branch */
      service_code: string;
      /** @description The first day of the month it is for */
      period: string;
      /** @description Without VAT */
      amount_sar: number;
      /** @description The VAT on it */
      vat_sar: number;
      /** @description Both together */
      total_sar: number;
      /** @description Of the total, so far */
      paid_sar: number;
      /** @description total_sar less paid_sar; 0 for a fee that is paid or void */
      outstanding_sar: number;
      /** @description pending, overdue (by the date: due_date is before today in Riyadh), paid or void */
      status: string;
      due_date: string;
      created: string;
      organization_id: string;
      organization_name_en: string;
    };
    RecordedBillingPayment: {
      id: string;
      organization_id: string;
      organization_name_en: string;
      /** @description Without VAT: money paid in advance has none in it, that arises with the fee it pays */
      amount_sar: number;
      /** @description 0, see amount_sar */
      vat_sar: number;
      /** @description Both together */
      total_sar: number;
      /** @description bank_transfer, credit_card, debit_card, card, wallet, cash, cheque, sadad, online */
      method: string;
      /** @description succeeded, pending or failed */
      status: string;
      reference: string;
      /** @description The account that recorded it */
      created_by: string;
      created: string;
      /** @description Open fees of the organization, before */
      outstanding_sar: number;
      /** @description The oldest fee first */
      applications: {
        branch_fee_id: string;
        /** @description Empty for the fee of a service */
        branch_iv_id: string;
        due_date: string;
        /** @description Of the fee, before */
        outstanding_sar: number;
        /** @description Of the money, to this fee */
        applied_sar: number;
      }[];
      /** @description What is left of the money */
      to_wallet_sar: number;
      /** @description The wallet afterwards */
      wallet_balance_after_sar: number;
      /** @description Whether it ended a suspension for unpaid fees */
      resumed: boolean;
    };
    Recovery: {
      /**
       * Format: date-time
       * @description Deliveries made since then that never arrived
       */
      since: string;
    };
    RecoveryCodes: {
      /** @description Each works once in place of a code; shown this once */
      recovery_codes: string[];
    };
    Refresh: {
      /** @description Required without X-Session: cookie */
      refresh_token?: string;
    };
    ResetLink: {
      /** @description Shown this once; works once and for 24 hours */
      reset_url: string;
      expires_at: string;
    };
    Resumption: {
      /** @description The reason, shown to the members of the organization */
      reason: string;
    };
    RevenueGoal: {
      organization_id: string;
      /** @description As 2026-11 */
      month: string;
      currency: string;
      /** @description The goal; null when none is set */
      revenue: number | null;
      /** @description Revenue of the month so far, without cancelled and refunded orders */
      achieved: number;
      /** @description Revenue of the whole month: what is achieved up to yesterday, and the rest of the days at the average of the last 28 full days */
      projected: number;
      /** @description Days of the month */
      days: number;
      /** @description Full days of the month before today */
      elapsed_days: number;
    };
    RevenueGoalAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["RevenueGoal"];
      timestamp: string;
    };
    RevenueGoalChange: {
      /** @description As 2026-11 */
      month: string;
      /** @description In the organization's currency; null removes the goal */
      revenue: number | null;
    };
    Sensy: {
      organization_id: string;
      range_days: number;
      horizon: number;
      fetched_at: string;
      /** @description true: something has changed that these forecasts do not know yet (a new day, an upload, stock). They are being made anew */
      stale: boolean;
      items: components["schemas"]["SensyForecast"][];
      /** @description Of all pages */
      totals: {
        /** @description SKUs with a forecast */
        skus: number;
        /** @description SKUs with a stockout probability of at least 0.5 within the horizon */
        at_risk: number;
        out_of_stock: number;
        to_order_now: number;
        /** @description Sum over SKUs to order now */
        suggested_order_qty: number;
      };
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
    };
    SensyForecast: {
      /** @description The SKU's iv_id */
      sku_id: string;
      product_name_en: string;
      product_name_ar: string;
      branch_iv_id: string;
      /** @description How the forecast was made */
      method: string;
      /** @enum {string} */
      demand_class: "smooth" | "erratic" | "intermittent" | "lumpy" | "too_little_history";
      /** @description Days of history that the forecast is based on */
      history_days: number;
      /** @description The last day of the branch with data: sales or uploads */
      history_until: string;
      /** @description Sold in the range */
      used_qty: number;
      /** @description One entry per day, starting today */
      forecast: {
        date: string;
        /** @description Expected */
        qty: number;
        /** @description Less is sold on one day in ten */
        lo: number;
        /** @description More is sold on one day in ten */
        hi: number;
      }[];
      /** @description Expected over the horizon */
      total_qty: number;
      /** @description The stock that the forecast is based on */
      current_qty: number;
      /** @description Whole days until a stockout, median; 0 when out of stock; null: more than a year, or no demand */
      days_of_cover: number | null;
      /** @description The day by which it has run out in half of all cases */
      cover_p50_date: string | null;
      /** @description The day by which it has run out in one of ten cases */
      cover_p10_date: string | null;
      /** @description cover_p50_date where that is within the horizon; the first day of the forecast when out of stock */
      stockout_date: string | null;
      /** @description Probability of a stockout within the horizon, from 0 to 1: 1 when out of stock, but 0 when less than one is expected to be sold in 90 days */
      stockout_probability: number;
      /** @description The SKU's, or where that is 0 the organization's default */
      reorder_threshold: number;
      /** @description The SKU's, or where that is 0 the organization's default */
      buffer: number;
      lead_time_days: number;
      service_level: number;
      /** @description Reorder when the stock falls to this level: demand over the lead time at the service level */
      reorder_point: number;
      /** @description null when nothing need be ordered for the next 90 days */
      suggested_order_date: string | null;
      suggested_order_qty: number;
      /** @description Sunday first; 1 is an average day */
      weekday_profile: number[];
      backtest: {
        /** @description Error of past weeks, as a share of what they sold; null where nothing was */
        wape: number | null;
        /** @description Error of past days over that of repeating the week before */
        mase: number | null;
      };
      explanation: {
        en: string;
        ar: string;
      };
    };
    ServiceAsset: {
      id: string;
      name: string;
      content_type: string;
      size_bytes: number;
      created: string;
      /** @description Requires the token of a Commercial operator */
      url: string;
    };
    ServiceAssetForm: {
      /**
       * Format: binary
       * @description pdf, jpg, png, webp or gif by content, at most 10 MB
       */
      file: string;
      /** @description Display name; default: the name of the file */
      name?: string;
    };
    ServiceAssignment: {
      organization_app_id: string;
      organization_id: string;
      service_id: string;
      /** @description Without VAT, each */
      price_sar: number;
      quantity: number;
      status: components["schemas"]["AssignmentStatus"];
      starts_at: string;
      created: string;
      updated: string;
    };
    ServiceAssignmentChange: {
      /** @description Another service, at its catalog price unless `price_sar` is set */
      service_id?: string;
      /** @description Without VAT, each */
      price_sar?: number;
      /** @description Number of units */
      quantity?: number;
      status?: components["schemas"]["AssignmentStatus"];
      /**
       * Format: date-time
       * @description Charged for months that begin then or later
       */
      starts_at?: string;
    };
    ServiceAssignmentList: {
      items: components["schemas"]["ServiceAssignment"][];
      /** @description How many there are, also where a cap shows fewer */
      total_items: number;
    };
    SessionToken: {
      id: string;
      name: string;
      organization_id: string | null;
      /** @description Last four characters */
      hint: string;
      revoked: boolean;
      expires_at: string | null;
      created: string;
    };
    SessionTokenList: {
      data: components["schemas"]["SessionToken"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    SessionTokenRequest: {
      name?: string;
      expires_in_days?: number | null;
    };
    /** @description All organizations, or a list of their ids */
    ShownAudience: "all" | string[];
    /** @description One product in one branch */
    Sku: {
      id: string;
      /** @description The product's iv_id, an underscore and the branch's */
      iv_id: string;
      organization_id: string;
      product_id: string;
      product_iv_id: string;
      branch_id: string;
      branch_iv_id: string;
      /** @description The product's */
      name_en: string;
      /** @description The product's */
      name_ar: string;
      /** @description null: the product's price holds */
      price: number | null;
      /** @description Its own price, or the product's */
      effective_price: number;
      /** @description On the shelf; negative when more was sold than was counted */
      current_qty: number;
      /** @description At or below this the stock is low */
      reorder_threshold: number;
      /** @description Kept in reserve. Goes into how much to order, not into when stock is low */
      buffer: number;
      is_enabled: boolean;
      created: string;
      updated: string;
    };
    SkuAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Sku"];
      timestamp: string;
    };
    SkuBulk: {
      /**
       * @description SKUs come and go with products and branches: they are only updated
       * @constant
       */
      mode: "update";
      /** @description At most 1000 */
      skus: (components["schemas"]["SkuBulkItem"] | unknown)[];
    };
    SkuBulkItem: {
      iv_id: string;
      /** @description null: back to the product's price */
      price?: number | null;
      current_qty?: number;
      reorder_threshold?: number;
      buffer?: number;
      is_enabled?: boolean;
    };
    SkuChange: {
      /** @description null: back to the product's price */
      price?: number | null;
      current_qty?: number;
      reorder_threshold?: number;
      buffer?: number;
      is_enabled?: boolean;
    };
    SkuList: {
      data: components["schemas"]["Sku"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    StagedPayload: {
      id: string;
      organization_app_id: string;
      app_slug: string;
      /** @description The vendor's own name of what happened; absent until it was read */
      event: string | null;
      external_order_id: string | null;
      /** @enum {unknown} */
      status: "pending" | "processed" | "failed";
      /**
       * @description unchanged: older than what is known, or the same; ignored: nothing for us. Empty while there is none
       * @enum {unknown}
       */
      outcome: "" | "created" | "updated" | "unchanged" | "ignored";
      attempts: number;
      error: {
        code: string;
        message: string;
        /** @description Where in the payload */
        path: string;
      } | null;
      order_id: string | null;
      received_at: string;
      processed_at: string | null;
    };
    StagedPayloadAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["StagedPayload"];
      timestamp: string;
    };
    StagedPayloadInFull: {
      id: string;
      organization_app_id: string;
      app_slug: string;
      /** @description The vendor's own name of what happened; absent until it was read */
      event: string | null;
      external_order_id: string | null;
      /** @enum {unknown} */
      status: "pending" | "processed" | "failed";
      /**
       * @description unchanged: older than what is known, or the same; ignored: nothing for us. Empty while there is none
       * @enum {unknown}
       */
      outcome: "" | "created" | "updated" | "unchanged" | "ignored";
      attempts: number;
      error: {
        code: string;
        message: string;
        /** @description Where in the payload */
        path: string;
      } | null;
      order_id: string | null;
      received_at: string;
      processed_at: string | null;
      /** @description The vendor's bytes as text */
      payload: string;
      /** @description What the vendor sent, once the payload was mended */
      original_payload: string | null;
      /** @description Who mended it */
      mended_by: string | null;
      mended_at: string | null;
      /** @description Without those that verify something */
      headers: {
        [key: string]: string;
      };
    };
    StagedPayloadList: {
      data: components["schemas"]["StagedPayload"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    /** @enum {string} */
    StoredPaymentStatus: "pending" | "processing" | "completed" | "paid" | "failed" | "refunded" | "cancelled";
    SupportGrant: {
      id: string;
      /**
       * @description read: nothing can be changed. full: also changes, except payments, members, API keys, webhook and app secrets and the organization itself
       * @enum {string}
       */
      scope: "read" | "full";
      /**
       * @description ended: by a member of the organization
       * @enum {unknown}
       */
      status: "open" | "ended" | "expired";
      /** @description Empty if none was given */
      reason: string;
      granted_by: {
        id: string;
        /** @description At that time */
        name: string;
      };
      created: string;
      expires_at: string;
      ended_at: string | null;
      /** @description Name of the member who ended it */
      ended_by: string | null;
      /** @description Who opened the organization under it, at most 20. `id` is the actor in GET /audit */
      operators: {
        id: string;
        name: string;
        opened_at: string;
      }[];
    };
    SupportGrantAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["SupportGrant"];
      timestamp: string;
    };
    SupportGrantList: {
      data: components["schemas"]["SupportGrant"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    SupportGrantRequest: {
      /**
       * @description read: nothing can be changed. full: also changes, except payments, members, API keys, webhook and app secrets and the organization itself
       * @enum {string}
       */
      scope: "read" | "full";
      /** @enum {integer} */
      duration_hours: 1 | 8 | 24 | 72;
      reason?: string;
      /** @description The request that this answers. Scope and duration are still your choice */
      request_id?: string | null;
    };
    SupportRequest: {
      id: string;
      operator: {
        id: string;
        name: string;
      };
      /**
       * @description read: nothing can be changed. full: also changes, except payments, members, API keys, webhook and app secrets and the organization itself
       * @enum {string}
       */
      scope: "read" | "full";
      reason: string;
      /** @enum {unknown} */
      status: "open" | "allowed" | "refused" | "withdrawn" | "expired";
      created: string;
      /** @description Until then it can be answered */
      expires_at: string;
    };
    SupportRequestAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["SupportRequest"];
      timestamp: string;
    };
    SupportRequestBody: {
      /**
       * @description read: nothing can be changed. full: also changes, except payments, members, API keys, webhook and app secrets and the organization itself
       * @enum {string}
       */
      scope: "read" | "full";
      reason: string;
    };
    SupportState: {
      /** @description The open one */
      grant: components["schemas"]["SupportGrant"] | null;
      /** @description Those that wait for an answer, at most 5 */
      requests: components["schemas"]["SupportRequest"][];
    };
    SupportToken: {
      /** @description For this organization only, sent as Authorization: Bearer */
      access_token: string;
      /** @constant */
      token_type: "Bearer";
      /** @description Seconds: at most an hour, and never past the end of the grant */
      expires_in: number;
      organization_id: string;
      /**
       * @description read: nothing can be changed. full: also changes, except payments, members, API keys, webhook and app secrets and the organization itself
       * @enum {string}
       */
      scope: "read" | "full";
      grant_expires_at: string;
    };
    Suspension: {
      /** @description The reason, shown to the members of the organization */
      reason: string;
    };
    SystemHealth: {
      status: string;
      version: string;
      environment: string;
      uptime_seconds: number;
      system_health: {
        status: string;
        initialized: boolean;
        started: boolean;
        timestamp: string;
        total_apps: number;
        active_apps: number;
        manager_metrics: {
          active_instances: number;
          total_instances: number;
          total_organizations: number;
        };
        registry_metrics: {
          total_factories: number;
          total_created: number;
          total_errors: number;
          cache_hit_rate: number;
        };
        scheduler_metrics: {
          active_workers: number;
          total_executions: number;
          successful_runs: number;
          failed_runs: number;
          success_rate: number;
        };
        staging_metrics: {
          total_processed: number;
          total_failed: number;
          total_cleaned_up: number;
        };
      };
    };
    Telemetry: {
      timestamp: string;
      uptime_seconds: number;
      process: {
        node: string;
        pid: number;
        cpu_user_seconds: number;
        cpu_system_seconds: number;
        rss_bytes: number;
        heap_used_bytes: number;
        heap_total_bytes: number;
        external_bytes: number;
      };
      event_loop: {
        utilization: number;
        delay_p50_ms: number;
        delay_p99_ms: number;
        delay_max_ms: number;
      };
      http: {
        in_flight: number;
        requests: number;
        errors: number;
        routes: {
          method: string;
          route: string;
          requests: number;
          errors: number;
          p50_ms: number;
          p95_ms: number;
          p99_ms: number;
        }[];
      };
      database: {
        pool_size: number;
        open: number;
        active: number;
      };
      jobs: {
        name: string;
        queued: number;
        active: number;
        failed: number;
      }[];
      followers: {
        name: string;
        events_behind: number;
        seconds_behind: number;
        /** @description Events that it could not process and set aside as dead letters */
        dead_lettered: number;
        /** @description Of these, within the last day */
        dead_lettered_last_day: number;
      }[];
      /** @description Figures of other modules, by name */
      sections: {
        [key: string]: unknown;
      };
    };
    TenantCredit: {
      organization_id: string;
      amount_sar: number;
      /** @description Open fees of the organization, before */
      outstanding_sar: number;
      /** @description The oldest fee first */
      applications: {
        branch_fee_id: string;
        /** @description Empty for the fee of a service */
        branch_iv_id: string;
        due_date: string;
        /** @description Of the fee, before */
        outstanding_sar: number;
        /** @description Of the money, to this fee */
        applied_sar: number;
      }[];
      /** @description What is left of the money */
      to_wallet_sar: number;
      /** @description The wallet afterwards */
      wallet_balance_after_sar: number;
    };
    TenantCreditRequest: {
      /** @description The organization whose money moves */
      organization_id: string;
      /** @description In riyals, in whole halalas: at most two decimal places */
      amount_sar: number;
      /** @description The reason; the merchant sees it in its ledger */
      note: string;
    };
    TestEvent: {
      spec_version: string;
      id: string;
      /** @constant */
      type: "webhook.test";
      /** Format: date-time */
      occurred_at: string;
      organization_id: string;
      /** @description Where the feed stands */
      cursor: string;
      /** @constant */
      order_id: "";
      /** @constant */
      change: "test";
      changed_fields: string[];
      /** @constant */
      status_from: "";
      /** @constant */
      status_to: "";
      /** @constant */
      payment_status_from: "";
      /** @constant */
      payment_status_to: "";
    };
    TillCustomer: {
      name?: string | null;
      phone?: string | null;
      email?: string | null;
    };
    TillSale: {
      branch_iv_id: string;
      lines: components["schemas"]["TillSaleLine"][];
      discounts_amount?: number | null;
      payment_method: components["schemas"]["PaymentMethod"];
      customer?: components["schemas"]["TillCustomer"] | null;
      /** @description true: sells beyond the counted stock, which goes below zero */
      allow_negative_stock?: boolean;
    };
    TillSaleAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["TillSaleMade"];
      timestamp: string;
    };
    TillSaleLine: {
      sku_iv_id?: string | null;
      barcode?: string | null;
      /** @description At most six decimals */
      quantity: number;
      price?: number | null;
    };
    TillSaleMade: {
      id: string;
      order_number: string;
      order: components["schemas"]["Order"];
    };
    Tokens: {
      access_token: string;
      /** @constant */
      token_type: "Bearer";
      expires_in: number;
      /** @description Absent with X-Session: cookie */
      refresh_token?: string;
    };
    TotpCode: {
      code: string;
    };
    TotpEnrolment: {
      /** @description Of the account */
      password: string;
    };
    TotpRemoval: {
      password: string;
      code: string;
    };
    TotpReset: {
      /**
       * Format: email
       * @description Email address of the account
       */
      email: string;
      /** @description The reason, for the service's log */
      reason: string;
    };
    TotpResetDone: {
      user_id: string;
      email: string;
      /** @description Always false: the next login requires only the password */
      has_second_factor: boolean;
    };
    TotpSecret: {
      /** @description Base32, for typing in by hand */
      secret: string;
      /** @description To be shown as a QR code */
      otpauth_url: string;
    };
    Transaction: {
      id: string;
      provider: string;
      provider_reference: string;
      order_id: string | null;
      amount: number;
      currency: string;
      /** @enum {unknown} */
      status: "pending" | "paid" | "refunded" | "failed" | "cancelled";
      fee: number | null;
      occurred_at: string;
      matched_by: ("reference" | "amount_and_time" | "hand") | null;
      created: string;
    };
    TransactionAnswer: {
      success: boolean;
      message: string;
      data: components["schemas"]["Transaction"];
      timestamp: string;
    };
    TransactionList: {
      data: components["schemas"]["Transaction"][];
      count: number;
      total_count: number;
      page: number;
      limit: number;
      has_next: boolean;
      meta: {
        [key: string]: unknown;
      };
    };
    TransactionMatch: {
      order_id: string;
    };
    UserReset: {
      /**
       * Format: email
       * @description Email address of the account
       */
      email: string;
      /** @description The reason, for the service's log */
      reason: string;
    };
    /** @enum {string} */
    WebhookStatus: "active" | "paused" | "disabled";
    WebhookSubscription: {
      id: string;
      organization_id: string;
      url: string;
      description: string;
      event_types: components["schemas"]["EventType"][];
      status: components["schemas"]["WebhookStatus"];
      disabled_reason: string;
      secret_hint: string;
      rotating: boolean;
      created: string;
      updated: string;
      last_success_at: string;
      last_failure_at: string;
    };
    WebhookSubscriptionChange: {
      /** @description https, and never a private address */
      url?: string;
      description?: string;
      /** @description Empty: every order event, those to come included */
      event_types?: components["schemas"]["EventType"][];
      status?: components["schemas"]["AssignmentStatus"];
    };
    WebhookSubscriptionList: {
      data: components["schemas"]["WebhookSubscription"][];
      count: number;
      /** @description All that a filter may name */
      event_types: components["schemas"]["EventType"][];
    };
    WebhookSubscriptionWithSecret: {
      id: string;
      organization_id: string;
      url: string;
      description: string;
      event_types: components["schemas"]["EventType"][];
      status: components["schemas"]["WebhookStatus"];
      disabled_reason: string;
      secret_hint: string;
      rotating: boolean;
      created: string;
      updated: string;
      last_success_at: string;
      last_failure_at: string;
      /** @description Shown this once */
      secret: string;
    };
    /** @enum {string} */
    WeekDay: "Sunday" | "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday";
    /** @description By weekday: {open, close}, {periods: [{open, close}]} or {closed: true} under lower-case names; or a list of periods. A close at or before the open is on the next day; 24:00 closes at midnight. null clears. */
    WorkingHours: {
      [key: string]: unknown;
    } | components["schemas"]["WorkingPeriod"][] | null;
    WorkingHoursChange: {
      working_hours: components["schemas"]["WorkingHours"];
    };
    /** @description A close at or before the open is on the next day */
    WorkingPeriod: {
      WeekDay: components["schemas"]["WeekDay"];
      OpenHour: number;
      OpenMinute: number;
      CloseHour: number;
      CloseMinute: number;
    };
  };
  responses: never;
  parameters: {
    /** @description Makes a repeat harmless: the same key with the same request gets the kept answer and `Idempotency-Hit: true`, with another request 422. Kept 48 hours, for the one who sent it. Refusals are not kept. */
    IdempotencyKey: string;
    /** @description `true`, in any case, queues the write and answers 202 with a job to look up; anything else writes at once. */
    Async: "true" | "false";
    /** @description The organization to act for, when the account belongs to several. Without it, the one of the token. One that is unknown or not the account's is 403. */
    OrganizationId: string;
    /** @description `handling=strict` refuses fields of the body (422) and query parameters (400) that the service does not know. Without it they are ignored and named in `X-Ignored-Fields`. */
    Prefer: string;
    /** @description The id of the last event that arrived; goes before `cursor`. Browsers send it by themselves. */
    LastEventId: string;
    /** @description The `ETag` of the version that you have read, which is its `updated` (of an order `updated_at`) in quotes. If the resource has changed since, nothing is written: 412 with the current version in `details.current`. Without the header the last write wins. */
    IfMatch: string;
    /** @description The `ETag` of a copy at hand; 304 when it is still right. */
    IfNoneMatch: string;
  };
  requestBodies: never;
  headers: {
    /** @description The request's own `x-request-id` when it had a usable one, else one made here. It is in the log. */
    RequestId: string;
    /** @description `true` when this is the kept answer to an earlier request with the same `Idempotency-Key`; absent otherwise. */
    IdempotencyHit: "true";
    /** @description What the request named and the service does not know: comma-separated, percent-encoded, nested ones by path, at most 2 kB. Absent when there is nothing. */
    IgnoredFields: string;
    /** @description Seconds to wait before trying again. */
    RetryAfter: string;
    /** @description A word for programs that stays the same, such as `branch-not-found` or `missing-grant`. On every refusal. */
    ErrorReason: string;
    /** @description The version of the resource: its `updated` in quotes. Send it as `If-Match` with a change. */
    ETag: string;
    /** @description How to authenticate. */
    Authenticate: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  ping: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Ping"];
        };
      };
    };
  };
  health: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Health"];
        };
      };
    };
  };
  systemHealth: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["SystemHealth"];
        };
      };
    };
  };
  telemetry: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Telemetry"];
        };
      };
    };
  };
  logIn: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Login"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Tokens"];
        };
      };
    };
  };
  refreshLogin: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Refresh"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Tokens"];
        };
      };
    };
  };
  logOut: {
    parameters: {
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  changePassword: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PasswordChange"];
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  checkCredentials: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Credentials"];
        };
      };
    };
  };
  getAccount: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Account"];
        };
      };
    };
  };
  listSessionTokens: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["SessionTokenList"];
        };
      };
    };
  };
  createSessionToken: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SessionTokenRequest"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["NewSessionToken"];
        };
      };
    };
  };
  revokeSessionToken: {
    parameters: {
      path: {
        /** @description Its id, as the list shows it */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  listSessions: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["LoginSessionList"];
        };
      };
    };
  };
  endOtherSessions: {
    parameters: {
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  endSession: {
    parameters: {
      path: {
        /** @description Its id, as the list shows it */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ApiKeyList"];
        };
      };
    };
  };
  createApiKey: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ApiKeyRequest"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["NewApiKey"];
        };
      };
    };
  };
  revokeApiKey: {
    parameters: {
      path: {
        /** @description Its id, as the list shows it */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  enrolTotp: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TotpEnrolment"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["TotpSecret"];
        };
      };
    };
  };
  confirmTotp: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TotpCode"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["RecoveryCodes"];
        };
      };
    };
  };
  disableTotp: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TotpRemoval"];
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  listMembers: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Part of an email address or a name */
        search?: string;
        /** @description created, email, name, role, status, last_seen_at; after a minus for descending */
        sort?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["MemberList"];
        };
      };
    };
  };
  inviteMember: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewMember"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["InvitedMemberAnswer"];
        };
      };
    };
  };
  getMember: {
    parameters: {
      path: {
        /** @description Of the member or the invitation, as the list shows it */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Member"];
        };
      };
    };
  };
  removeMember: {
    parameters: {
      path: {
        /** @description Of the member or the invitation, as the list shows it */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  changeMember: {
    parameters: {
      path: {
        /** @description Of the member or the invitation, as the list shows it */
        id: string;
      };
    };
    /** @description What is absent stays */
    requestBody: {
      content: {
        "application/json": components["schemas"]["MemberChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["MemberAnswer"];
        };
      };
    };
  };
  createMemberReset: {
    parameters: {
      path: {
        /** @description Of the member or the invitation, as the list shows it */
        id: string;
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["ResetLink"];
        };
      };
    };
  };
  acceptInvitation: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["InvitationAcceptance"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Tokens"];
        };
      };
    };
  };
  resetPassword: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PasswordReset"];
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  getOrganization: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Organization"];
        };
      };
    };
  };
  updateOrganization: {
    parameters: {
    };
    /** @description What is absent stays */
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrganizationChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrganizationAnswer"];
        };
      };
    };
  };
  getSupportAccess: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["SupportState"];
        };
      };
    };
  };
  endSupportAccess: {
    parameters: {
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  listSupportGrants: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["SupportGrantList"];
        };
      };
    };
  };
  grantSupportAccess: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SupportGrantRequest"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["SupportGrantAnswer"];
        };
      };
    };
  };
  refuseSupportRequest: {
    parameters: {
      path: {
        /** @description Its id, as GET /organization/support-access shows it */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["SupportRequestAnswer"];
        };
      };
    };
  };
  getOrganizationSupportAccess: {
    parameters: {
      path: {
        /** @description Of the organization */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OperatorSupportState"];
        };
      };
    };
  };
  requestSupportAccess: {
    parameters: {
      path: {
        /** @description Of the organization */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SupportRequestBody"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["SupportRequestAnswer"];
        };
      };
    };
  };
  withdrawSupportRequest: {
    parameters: {
      path: {
        /** @description Of the organization */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  openSupportSession: {
    parameters: {
      path: {
        /** @description Of the organization */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["SupportToken"];
        };
      };
    };
  };
  leaveSupportSession: {
    parameters: {
      path: {
        /** @description Of the organization */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  listAudit: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description The id of who did it; `system` for the service itself */
        actor?: string;
        /** @description create, update, delete or a verb of its own, such as revoke or rotate-secret */
        action?: string;
        /** @description The resource, with the names that grants use */
        resource?: "Branches" | "Products" | "Orders" | "Payments" | "Webhooks" | "Apps" | "Analytics" | "Reports" | "Settings";
        /** @description The id of the record that was changed */
        resource_id?: string;
        /** @description RFC 3339: at that time or later */
        from?: string;
        /** @description RFC 3339: at that time or earlier */
        to?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["AuditEntryList"];
        };
      };
    };
  };
  listLeads: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["LeadList"];
        };
      };
    };
  };
  createLead: {
    parameters: {
    };
    /** @description email and name are required */
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewLead"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Lead"];
        };
      };
    };
  };
  listPipelineLeads: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description new, contacted, qualified, won, lost */
        status?: "new" | "contacted" | "qualified" | "won" | "lost";
        /** @description An operator's id, or none for leads without assignee */
        assignee?: string;
        /** @description Part of name, email, phone, position or ERP; spelling variants match */
        search?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PipelineLeadList"];
        };
      };
    };
  };
  changeLead: {
    parameters: {
      path: {
        /** @description The lead's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["LeadChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PipelineLead"];
        };
      };
    };
  };
  listLeadNotes: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
      path: {
        /** @description The lead's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["LeadNoteList"];
        };
      };
    };
  };
  addLeadNote: {
    parameters: {
      path: {
        /** @description The lead's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewLeadNote"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["LeadNote"];
        };
      };
    };
  };
  getJob: {
    parameters: {
      path: {
        /** @description The job_id of the 202 */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Job"];
        };
      };
    };
  };
  listClosures: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
      path: {
        /** @description The branch's iv_id */
        ivId: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BranchClosureList"];
        };
      };
    };
  };
  addClosure: {
    parameters: {
      path: {
        /** @description The branch's iv_id */
        ivId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewClosure"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["BranchClosureAnswer"];
        };
      };
    };
  };
  addClosures: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewClosures"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["ClosuresCreatedAnswer"];
        };
      };
    };
  };
  removeClosure: {
    parameters: {
      path: {
        /** @description The branch's iv_id */
        ivId: string;
        /** @description Of the closure, as the list shows it */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  listBranches: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description created, updated, iv_id, name_en, name_ar or status; a minus for descending */
        sort?: string;
        /** @description Only those that are active, or that are not */
        active?: boolean;
        /** @description Only those in this status */
        status?: components["schemas"]["BranchStatus"];
        /** @description In both names and the iv_id */
        search?: string;
        /** @description Around this place, nearest first; needs near_lon */
        near_lat?: number;
        /** @description Needs near_lat */
        near_lon?: number;
        /** @description Of the circle around near_lat, near_lon; 10 by default */
        radius_km?: number;
        /** @description RFC 3339: only branches that are open then */
        open_at?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BranchList"];
        };
      };
    };
  };
  createBranch: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewBranch"];
        "multipart/form-data": components["schemas"]["NewBranchForm"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["BranchCreated"];
        };
      };
    };
  };
  saveBranches: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BranchBulk"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BulkAnswer"];
        };
      };
    };
  };
  getBranch: {
    parameters: {
      path: {
        /** @description The branch's iv_id */
        ivId: string;
      };
    };
    responses: {
      /** @description A place that sells or stores */
      200: {
        content: {
          "application/json": components["schemas"]["Branch"];
        };
      };
    };
  };
  updateBranch: {
    parameters: {
      path: {
        /** @description The branch's iv_id */
        ivId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BranchChange"];
        "multipart/form-data": components["schemas"]["BranchChangeForm"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BranchAnswer"];
        };
      };
    };
  };
  deleteBranch: {
    parameters: {
      query?: {
        /** @description Delete its SKUs as well */
        force?: boolean;
      };
      path: {
        /** @description The branch's iv_id */
        ivId: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  setWorkingHours: {
    parameters: {
      path: {
        /** @description The branch's iv_id */
        ivId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WorkingHoursChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BranchAnswer"];
        };
      };
    };
  };
  exportProducts: {
    parameters: {
      query?: {
        /** @description Part of a name in either language, an iv_id or a barcode; case and Arabic letter variants are alike */
        search?: string;
        /** @description Only those of this brand, by its id */
        brand_id?: string;
        /** @description Only those of this category, by its id */
        category_id?: string;
        /** @description Only those on sale, or off it */
        is_enabled?: boolean;
        /** @description created, updated, iv_id, name_en, name_ar, average_price; after a minus for descending */
        sort?: string;
      };
    };
    responses: {
      /** @description The products */
      200: {
        content: {
          "text/csv": string;
        };
      };
    };
  };
  listProducts: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Part of a name in either language, an iv_id or a barcode; case and Arabic letter variants are alike */
        search?: string;
        /** @description Only those of this brand, by its id */
        brand_id?: string;
        /** @description Only those of this category, by its id */
        category_id?: string;
        /** @description Only those on sale, or off it */
        is_enabled?: boolean;
        /** @description created, updated, iv_id, name_en, name_ar, average_price; after a minus for descending */
        sort?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ProductList"];
        };
      };
    };
  };
  createProduct: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewProduct"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["ProductKeyAnswer"];
        };
      };
    };
  };
  saveProducts: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProductBulk"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BulkAnswer"];
        };
      };
    };
  };
  getProduct: {
    parameters: {
      path: {
        /** @description The product's iv_id */
        ivId: string;
      };
    };
    responses: {
      /** @description What is sold, in whichever branch */
      200: {
        content: {
          "application/json": components["schemas"]["Product"];
        };
      };
    };
  };
  replaceProduct: {
    parameters: {
      path: {
        /** @description The product's iv_id */
        ivId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProductReplacement"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ProductAnswer"];
        };
      };
    };
  };
  deleteProduct: {
    parameters: {
      query?: {
        /** @description Remove its SKUs as well */
        force?: boolean;
      };
      path: {
        /** @description The product's iv_id */
        ivId: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  updateProduct: {
    parameters: {
      path: {
        /** @description The product's iv_id */
        ivId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProductChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ProductAnswer"];
        };
      };
    };
  };
  listBrands: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Part of a name in either language */
        search?: string;
        /** @description created, updated, name_en, name_ar; after a minus for descending */
        sort?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BrandList"];
        };
      };
    };
  };
  createBrand: {
    parameters: {
    };
    /** @description A name in at least one of the languages */
    requestBody: {
      content: {
        "application/json": components["schemas"]["BrandNames"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["BrandAnswer"];
        };
      };
    };
  };
  getBrand: {
    parameters: {
      path: {
        /** @description Its id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Brand"];
        };
      };
    };
  };
  replaceBrand: {
    parameters: {
      path: {
        /** @description Its id */
        id: string;
      };
    };
    /** @description A name in at least one of the languages */
    requestBody: {
      content: {
        "application/json": components["schemas"]["BrandNames"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BrandAnswer"];
        };
      };
    };
  };
  deleteBrand: {
    parameters: {
      path: {
        /** @description Its id */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  listCategories: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Part of a name in either language */
        search?: string;
        /** @description created, updated, name_en, name_ar; after a minus for descending */
        sort?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["CategoryList"];
        };
      };
    };
  };
  createCategory: {
    parameters: {
    };
    /** @description A name in at least one of the languages */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CategoryNames"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["CategoryAnswer"];
        };
      };
    };
  };
  getCategory: {
    parameters: {
      path: {
        /** @description Its id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Category"];
        };
      };
    };
  };
  replaceCategory: {
    parameters: {
      path: {
        /** @description Its id */
        id: string;
      };
    };
    /** @description A name in at least one of the languages */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CategoryNames"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["CategoryAnswer"];
        };
      };
    };
  };
  deleteCategory: {
    parameters: {
      path: {
        /** @description Its id */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  changePrices: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PriceChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PriceChangeResultAnswer"];
        };
      };
    };
  };
  listScheduledPrices: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Only those of this status */
        status?: "scheduled" | "active" | "ended";
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PriceScheduleList"];
        };
      };
    };
  };
  schedulePrices: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewPriceSchedule"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["PriceScheduleKeyAnswer"];
        };
      };
    };
  };
  cancelScheduledPrices: {
    parameters: {
      path: {
        /** @description The schedule's id */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  listSkus: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description created, updated, iv_id, name_en, name_ar, price, current_qty; a minus for descending. -created by default. price is the effective one */
        sort?: string;
        /** @description In the product's names, iv_id and barcode and in the SKU's iv_id */
        search?: string;
        /** @description One product, in all branches */
        product_iv_id?: string;
        /** @description One branch, with all products */
        branch_iv_id?: string;
        /** @description Only those on sale, or off it */
        is_enabled?: boolean;
        /** @description true: current_qty at or below reorder_threshold; false: above it */
        low_stock?: boolean;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["SkuList"];
        };
      };
    };
  };
  getSku: {
    parameters: {
      path: {
        /** @description The product's iv_id, an underscore, the branch's */
        ivId: string;
      };
    };
    responses: {
      /** @description One product in one branch */
      200: {
        content: {
          "application/json": components["schemas"]["Sku"];
        };
      };
    };
  };
  updateSku: {
    parameters: {
      path: {
        /** @description The product's iv_id, an underscore, the branch's */
        ivId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SkuChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["SkuAnswer"];
        };
      };
    };
  };
  updateSkus: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SkuBulk"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BulkAnswer"];
        };
      };
    };
  };
  getFile: {
    parameters: {
      path: {
        /** @description Whose it is, as in the address */
        owner: string;
        /** @description Its random name */
        name: string;
      };
    };
    responses: {
      /** @description The image. It never changes under this address. */
      200: {
        content: {
          "image/jpeg": string;
          "image/png": string;
          "image/webp": string;
          "image/gif": string;
          "image/svg+xml": string;
        };
      };
    };
  };
  listOrders: {
    parameters: {
      query?: {
        /** @description From 1. An invalid value counts as 1 */
        page?: number;
        /** @description 1 to 100. An invalid value counts as 50 */
        limit?: number;
        /** @description The stored order_status, exact match */
        status?: string;
        /** @description The stored payment_status, exact match */
        payment_status?: string;
        /** @description The stored fulfillment_status, exact match */
        fulfillment_status?: string;
        /** @description The source: the install id of a channel, or the source that a direct order named */
        source?: string;
        /** @description The complete address, exact match */
        customer_email?: string;
        /** @description Three letters */
        currency?: string;
        /** @description total_amount at least */
        min_amount?: number;
        /** @description total_amount at most */
        max_amount?: number;
        /** @description Names of customer and receiver by the beginnings of their words, in any order, ignoring case, accents and Arabic letter variants; customer_email and source_transaction_id by their beginning; source_reference and order id whole; order number whole, by its beginning (DK- and at least one digit) or its last six characters; customer_phone in any form (050..., +966..., 00966..., Arabic digits) whole, by its beginning (6 digits or more) or its last 4 or more digits. No character is a wildcard */
        search?: string;
        /** @description `open`: neither delivered nor cancelled. `late`: open and past promised_for. The same orders as `open` and `late` of the dashboard */
        state?: "open" | "late";
        /** @description Orders of this branch. An account confined to a branch may name no other */
        branch_id?: string;
        /** @description The app of the channel as in `channel.app_slug`, exact match */
        channel?: string;
        /** @description The normalised payment status, whatever spelling the order has in payment_status */
        payment?: components["schemas"]["PaymentStatus"];
        /** @description A tag of the order, whole, ignoring case, accents and Arabic letter variants */
        tag?: string;
        /** @description Created at or after, RFC 3339 */
        from?: string;
        /** @description Created at or before, RFC 3339 */
        to?: string;
        /** @description created, total_amount or customer_name. Prefix with - for descending. Default: -created */
        sort?: string;
        /** @description canonical: normalised statuses. Anything else: the default format */
        format?: string;
        /** @description With format=canonical, raw adds the payload that the source sent */
        include?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderList"] | components["schemas"]["CanonicalOrderList"];
        };
      };
    };
  };
  createOrder: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewOrder"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["OrderCreated"];
        };
      };
      /** @description Taken on; it is done in the background */
      202: {
        content: {
          "application/json": components["schemas"]["QueuedAnswer"];
        };
      };
    };
  };
  getOrder: {
    parameters: {
      query?: {
        /** @description canonical: normalised statuses. Anything else: the default format */
        format?: string;
        /** @description With format=canonical, raw adds the payload that the source sent */
        include?: string;
      };
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderSnapshot"] | components["schemas"]["CanonicalOrderAnswer"];
        };
      };
    };
  };
  replaceOrder: {
    parameters: {
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrderReplacement"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderAnswer"];
        };
      };
    };
  };
  advanceOrder: {
    parameters: {
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrderStatusChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderStatusChanged"];
        };
      };
    };
  };
  createOrders: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrderBulk"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderBulkAnswer"];
        };
      };
    };
  };
  deleteOrders: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrderDeletion"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderBulkAnswer"];
        };
      };
    };
  };
  advanceOrders: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrderStatusBulk"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderBulkAnswer"];
        };
      };
    };
  };
  listOrderNotes: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderNoteList"];
        };
      };
    };
  };
  addOrderNote: {
    parameters: {
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewOrderNote"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["OrderNoteAnswer"];
        };
      };
    };
  };
  deleteOrderNote: {
    parameters: {
      path: {
        /** @description The order's id */
        id: string;
        /** @description The note's id */
        noteId: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  listOrderTags: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderTagCounts"];
        };
      };
    };
  };
  getOrderTags: {
    parameters: {
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    responses: {
      /** @description The tags of an order, in the order in which they were set */
      200: {
        content: {
          "application/json": components["schemas"]["OrderTags"];
        };
      };
    };
  };
  setOrderTags: {
    parameters: {
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewOrderTags"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderTagsAnswer"];
        };
      };
    };
  };
  readOrdersDashboard: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrdersDashboard"];
        };
      };
    };
  };
  exportOrders: {
    parameters: {
      query?: {
        /** @description The stored order_status, exact match */
        status?: string;
        /** @description The stored payment_status, exact match */
        payment_status?: string;
        /** @description The stored fulfillment_status, exact match */
        fulfillment_status?: string;
        /** @description The source: the install id of a channel, or the source that a direct order named */
        source?: string;
        /** @description The complete address, exact match */
        customer_email?: string;
        /** @description Three letters */
        currency?: string;
        /** @description total_amount at least */
        min_amount?: number;
        /** @description total_amount at most */
        max_amount?: number;
        /** @description Names of customer and receiver by the beginnings of their words, in any order, ignoring case, accents and Arabic letter variants; customer_email and source_transaction_id by their beginning; source_reference and order id whole; order number whole, by its beginning (DK- and at least one digit) or its last six characters; customer_phone in any form (050..., +966..., 00966..., Arabic digits) whole, by its beginning (6 digits or more) or its last 4 or more digits. No character is a wildcard */
        search?: string;
        /** @description `open`: neither delivered nor cancelled. `late`: open and past promised_for. The same orders as `open` and `late` of the dashboard */
        state?: "open" | "late";
        /** @description Orders of this branch. An account confined to a branch may name no other */
        branch_id?: string;
        /** @description The app of the channel as in `channel.app_slug`, exact match */
        channel?: string;
        /** @description The normalised payment status, whatever spelling the order has in payment_status */
        payment?: components["schemas"]["PaymentStatus"];
        /** @description A tag of the order, whole, ignoring case, accents and Arabic letter variants */
        tag?: string;
        /** @description Created at or after, RFC 3339 */
        from?: string;
        /** @description Created at or before, RFC 3339 */
        to?: string;
        /** @description created, total_amount or customer_name. Prefix with - for descending. Default: -created */
        sort?: string;
      };
    };
    responses: {
      /** @description The orders */
      200: {
        content: {
          "text/csv": string;
        };
      };
    };
  };
  readOrderTimeline: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many events a page has */
        limit?: number;
      };
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderTimeline"];
        };
      };
    };
  };
  listOrderChanges: {
    parameters: {
      query?: {
        /** @description An event's cursor: after it. `now`: from here on. None: from the oldest stored event */
        cursor?: string;
        /** @description More than 500 is taken as 500 */
        limit?: number;
        /** @description Only events of these types. Repeated, or separated by commas; an unknown one is 400 */
        event_types?: components["schemas"]["EventType"][];
        /** @description Seconds to wait for an event when there is none */
        wait?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrderChanges"];
        };
      };
    };
  };
  streamOrderChanges: {
    parameters: {
      query?: {
        /** @description An event's cursor: after it. `now`: from here on. None: from the oldest stored event */
        cursor?: string;
        /** @description Only events of these types. Repeated, or separated by commas; an unknown one is 400 */
        event_types?: components["schemas"]["EventType"][];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "text/event-stream": string;
        };
      };
    };
  };
  exportCustomers: {
    parameters: {
      query?: {
        /** @description Beginnings of words of the name in any order, the beginning of the email address, or a telephone number in any form: whole, its beginning or its last four digits or more */
        search?: string;
        /** @description last_order_at, first_order_at, orders, spent, name. Prefix with - for descending. Default: -last_order_at */
        sort?: string;
      };
    };
    responses: {
      /** @description The customers */
      200: {
        content: {
          "text/csv": string;
        };
      };
    };
  };
  listCustomers: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Beginnings of words of the name in any order, the beginning of the email address, or a telephone number in any form: whole, its beginning or its last four digits or more */
        search?: string;
        /** @description last_order_at, first_order_at, orders, spent, name. Prefix with - for descending. Default: -last_order_at */
        sort?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["CustomerList"];
        };
      };
    };
  };
  getCustomer: {
    parameters: {
      path: {
        /** @description The customer's id */
        id: string;
      };
    };
    responses: {
      /** @description The customer of all orders with one telephone number or email address */
      200: {
        content: {
          "application/json": components["schemas"]["Customer"];
        };
      };
    };
  };
  listApps: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["AppList"];
        };
      };
    };
  };
  installApp: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AppInstallation"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["NewAppAnswer"];
        };
      };
    };
  };
  listAppCatalog: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["AppCatalog"];
        };
      };
    };
  };
  removeApp: {
    parameters: {
      path: {
        /** @description The install's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["AppAnswer"];
        };
      };
    };
  };
  changeApp: {
    parameters: {
      path: {
        /** @description The install's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AppChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["AppAnswer"];
        };
      };
    };
  };
  testAppConnection: {
    parameters: {
      path: {
        /** @description The install's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ConnectionResult"];
        };
      };
    };
  };
  rotateIngestToken: {
    parameters: {
      path: {
        /** @description The install's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["NewIngestTokenAnswer"];
        };
      };
    };
  };
  ingest: {
    parameters: {
      path: {
        /** @description The install's id */
        id: string;
      };
    };
    responses: {
      /** @description Taken on; it is done in the background */
      202: {
        content: {
          "application/json": components["schemas"]["ReceivedAnswer"];
        };
      };
    };
  };
  listStagedPayloads: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Only payloads in this state */
        status?: "pending" | "processed" | "failed";
        /** @description Only payloads of this app */
        app_slug?: string;
        /** @description Only payloads of this install */
        organization_app_id?: string;
        /** @description Ids, events, messages */
        search?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["StagedPayloadList"];
        };
      };
    };
  };
  getStagedPayload: {
    parameters: {
      path: {
        /** @description The `staging_id` that the vendor received */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["StagedPayloadInFull"];
        };
      };
    };
  };
  deleteStagedPayload: {
    parameters: {
      path: {
        /** @description The `staging_id` that the vendor received */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["StagedPayloadAnswer"];
        };
      };
    };
  };
  retryStagedPayload: {
    parameters: {
      path: {
        /** @description The `staging_id` that the vendor received */
        id: string;
      };
    };
    responses: {
      /** @description Taken on; it is done in the background */
      202: {
        content: {
          "application/json": components["schemas"]["StagedPayloadAnswer"];
        };
      };
    };
  };
  mendStagedPayload: {
    parameters: {
      path: {
        /** @description The `staging_id` that the vendor received */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MendedPayload"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["StagedPayloadAnswer"];
        };
      };
    };
  };
  readAppHealth: {
    parameters: {
      query?: {
        /** @description How many days, today included */
        days?: number;
      };
      path: {
        /** @description The install's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["AppHealth"];
        };
      };
    };
  };
  sellAtTill: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TillSale"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["TillSaleAnswer"];
        };
      };
    };
  };
  getInvoice: {
    parameters: {
      query?: {
        /** @description xml: the UBL 2.1 document. Any other value: the row */
        format?: string;
      };
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    responses: {
      /** @description The invoice */
      200: {
        content: {
          "application/json": components["schemas"]["Invoice"];
          "application/xml": components["schemas"]["InvoiceXml"];
        };
      };
    };
  };
  issueInvoice: {
    parameters: {
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["InvoiceAnswer"];
        };
      };
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["InvoiceAnswer"];
        };
      };
    };
  };
  listProviders: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ProviderList"];
        };
      };
    };
  };
  listPaylinks: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Only paylinks of this order */
        order_id?: string;
        /** @description Only paylinks with this status */
        status?: "created" | "authorized" | "captured" | "cancelled" | "expired" | "failed" | "refunded";
      };
      path: {
        /** @description The provider's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PaylinkList"];
        };
      };
    };
  };
  createPaylink: {
    parameters: {
      path: {
        /** @description The provider's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewPaylink"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["PaylinkAnswer"];
        };
      };
    };
  };
  getPaylink: {
    parameters: {
      path: {
        /** @description The provider's id */
        id: string;
        /** @description The paylink's id */
        paylinkId: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Paylink"];
        };
      };
    };
  };
  capturePaylink: {
    parameters: {
      path: {
        /** @description The provider's id */
        id: string;
        /** @description The paylink's id */
        paylinkId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Capture"] | null;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PaylinkAnswer"];
        };
      };
    };
  };
  cancelPaylink: {
    parameters: {
      path: {
        /** @description The provider's id */
        id: string;
        /** @description The paylink's id */
        paylinkId: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PaylinkAnswer"];
        };
      };
    };
  };
  createPaymentOrder: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewPaymentOrder"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["PaymentOrderAnswer"];
        };
      };
    };
  };
  getPaymentOrder: {
    parameters: {
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    responses: {
      /** @description An order as it stands now */
      200: {
        content: {
          "application/json": components["schemas"]["OrderSnapshot"];
        };
      };
    };
  };
  confirmPaymentOrder: {
    parameters: {
      path: {
        /** @description The order's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PaymentConfirmation"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ConfirmedPaymentAnswer"];
        };
      };
    };
  };
  listTransactions: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Only transactions of this provider */
        provider?: string;
        /** @description Only transactions with this status */
        status?: "pending" | "paid" | "refunded" | "failed" | "cancelled";
        /** @description true: only transactions without an order */
        unmatched?: boolean;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["TransactionList"];
        };
      };
    };
  };
  matchTransaction: {
    parameters: {
      path: {
        /** @description The transaction's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TransactionMatch"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["TransactionAnswer"];
        };
      };
    };
  };
  listWebhookSubscriptions: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookSubscriptionList"];
        };
      };
    };
  };
  createWebhookSubscription: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewWebhookSubscription"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["WebhookSubscriptionWithSecret"];
        };
      };
    };
  };
  getWebhookSubscription: {
    parameters: {
      path: {
        /** @description The subscription's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookSubscription"];
        };
      };
    };
  };
  deleteWebhookSubscription: {
    parameters: {
      path: {
        /** @description The subscription's id */
        id: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  changeWebhookSubscription: {
    parameters: {
      path: {
        /** @description The subscription's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebhookSubscriptionChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookSubscription"];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      path: {
        /** @description The subscription's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookSubscriptionWithSecret"];
        };
      };
    };
  };
  testWebhookSubscription: {
    parameters: {
      path: {
        /** @description The subscription's id */
        id: string;
      };
    };
    responses: {
      /** @description One event on its way to one subscription */
      202: {
        content: {
          "application/json": components["schemas"]["Delivery"];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Only those in this status */
        status?: components["schemas"]["DeliveryStatus"];
      };
      path: {
        /** @description The subscription's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["DeliveryList"];
        };
      };
    };
  };
  getWebhookDelivery: {
    parameters: {
      path: {
        /** @description The subscription's id */
        id: string;
        /** @description The delivery's id, as the log shows it */
        deliveryId: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["DeliveryWithPayload"];
        };
      };
    };
  };
  replayWebhookDelivery: {
    parameters: {
      path: {
        /** @description The subscription's id */
        id: string;
        /** @description The delivery's id, as the log shows it */
        deliveryId: string;
      };
    };
    responses: {
      /** @description One event on its way to one subscription */
      202: {
        content: {
          "application/json": components["schemas"]["Delivery"];
        };
      };
    };
  };
  recoverWebhookDeliveries: {
    parameters: {
      path: {
        /** @description The subscription's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Recovery"];
      };
    };
    responses: {
      /** @description Taken on; it is done in the background */
      202: {
        content: {
          "application/json": components["schemas"]["QueuedAnswer"];
        };
      };
    };
  };
  readAccountingOverview: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["AccountingOverview"];
        };
      };
    };
  };
  readFleetMetrics: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["FleetMetrics"];
        };
      };
    };
  };
  listRecentPayments: {
    parameters: {
      query?: {
        /** @description From 1; anything else is taken as 1 */
        page?: number;
        /** @description How many a page has: 1 to 100, 25 unless given; more is taken as 100, anything else as 25 */
        perPage?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BillingPaymentPage"];
        };
      };
    };
  };
  listBalanceAdjustments: {
    parameters: {
      query?: {
        /** @description From 1; anything else is taken as 1 */
        page?: number;
        /** @description How many a page has: 1 to 100, 25 unless given; more is taken as 100, anything else as 25 */
        perPage?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BalanceAdjustmentPage"];
        };
      };
    };
  };
  listOperatorAudit: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Only actions on this organization */
        organization_id?: string;
        /** @description create, update, delete or a verb of its own, such as suspend */
        action?: string;
        /** @description RFC 3339: at that time or later */
        from?: string;
        /** @description RFC 3339: at that time or earlier */
        to?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OperatorAuditEntryList"];
        };
      };
    };
  };
  previewTenantCredit: {
    parameters: {
      query: {
        /** @description The organization whose money moves */
        organization_id: string;
        /** @description In riyals, in whole halalas: at most two decimal places */
        amount_sar: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["TenantCredit"];
        };
      };
    };
  };
  applyTenantCredit: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TenantCreditRequest"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["TenantCredit"];
        };
      };
    };
  };
  recordBillingPayment: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewBillingPayment"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["RecordedBillingPayment"];
        };
      };
    };
  };
  listFleetOrganizations: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description Part of a name, in either language */
        search?: string;
        /** @description Only organizations with this status */
        status?: "active" | "suspended" | "inactive";
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["FleetOrganizationList"];
        };
      };
    };
  };
  openOrganization: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewOrganization"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["OpenedOrganization"];
        };
      };
    };
  };
  listOrganizationLedger: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
      path: {
        /** @description Id of the organization */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["LedgerEntryList"];
        };
      };
    };
  };
  readOrganizationUsage: {
    parameters: {
      query?: {
        /** @description The last days, today included */
        days?: number;
      };
      path: {
        /** @description Id of the organization */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OrganizationUsage"];
        };
      };
    };
  };
  suspendOrganization: {
    parameters: {
      path: {
        /** @description Id of the organization */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Suspension"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["FleetOrganization"];
        };
      };
    };
  };
  resumeOrganization: {
    parameters: {
      path: {
        /** @description Id of the organization */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Resumption"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["FleetOrganization"];
        };
      };
    };
  };
  listOperators: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OperatorList"];
        };
      };
    };
  };
  resetUserTotp: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TotpReset"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["TotpResetDone"];
        };
      };
    };
  };
  createUserReset: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UserReset"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["ResetLink"];
        };
      };
    };
  };
  readOwnBilling: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["OwnBilling"];
        };
      };
    };
  };
  listOwnLedger: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["LedgerEntryList"];
        };
      };
    };
  };
  listOwnFees: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BranchFeeList"];
        };
      };
    };
  };
  listOwnInvoices: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["FeeInvoiceRowList"];
        };
      };
    };
  };
  getOwnInvoice: {
    parameters: {
      path: {
        /** @description The number of the invoice */
        number: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["FeeInvoice"];
        };
      };
    };
  };
  getOwnInvoicePdf: {
    parameters: {
      query?: {
        /** @description The language that comes first, ar by default; fields are named in both */
        language?: "ar" | "en";
      };
      path: {
        /** @description The number of the invoice */
        number: string;
      };
    };
    responses: {
      /** @description The invoice */
      200: {
        content: {
          "application/pdf": string;
        };
      };
    };
  };
  getOrganizationInvoicePdf: {
    parameters: {
      query?: {
        /** @description The language that comes first, ar by default; fields are named in both */
        language?: "ar" | "en";
      };
      path: {
        /** @description Id of the organization */
        id: string;
        /** @description The number of the invoice */
        number: string;
      };
    };
    responses: {
      /** @description The invoice */
      200: {
        content: {
          "application/pdf": string;
        };
      };
    };
  };
  listOrganizationInvoices: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
      path: {
        /** @description Id of the organization */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["FeeInvoiceRowList"];
        };
      };
    };
  };
  listBillingCheckouts: {
    parameters: {
      query?: {
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BillingCheckoutList"];
        };
      };
    };
  };
  openBillingCheckout: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewBillingCheckout"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["BillingCheckout"];
        };
      };
    };
  };
  getBillingCheckout: {
    parameters: {
      path: {
        /** @description The id of the payment */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BillingCheckout"];
        };
      };
    };
  };
  confirmBillingCheckout: {
    parameters: {
      path: {
        /** @description The id of the payment */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BillingCheckout"];
        };
      };
    };
  };
  cancelBillingCheckout: {
    parameters: {
      path: {
        /** @description The id of the payment */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BillingCheckout"];
        };
      };
    };
  };
  listPlans: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PlanList"];
        };
      };
    };
  };
  getPlan: {
    parameters: {
      path: {
        /** @description The code of the plan */
        code: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Plan"];
        };
      };
    };
  };
  changePlan: {
    parameters: {
      path: {
        /** @description The code of the plan */
        code: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PlanChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Plan"];
        };
      };
    };
  };
  listBillableServices: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BillableServiceList"];
        };
      };
    };
  };
  createBillableService: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewBillableService"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["BillableService"];
        };
      };
    };
  };
  changeBillableService: {
    parameters: {
      path: {
        /** @description The service's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillableServiceChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BillableService"];
        };
      };
    };
  };
  assignBillableService: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewServiceAssignment"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["ServiceAssignment"];
        };
      };
    };
  };
  listServiceAssignments: {
    parameters: {
      query?: {
        /** @description Only those of this organization */
        organization_id?: string;
        /** @description Only those of this service */
        service_id?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ServiceAssignmentList"];
        };
      };
    };
  };
  unassignBillableService: {
    parameters: {
      path: {
        /** @description The install's id */
        orgAppId: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ServiceAssignment"];
        };
      };
    };
  };
  changeServiceAssignment: {
    parameters: {
      path: {
        /** @description The install's id */
        orgAppId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ServiceAssignmentChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ServiceAssignment"];
        };
      };
    };
  };
  createPartner: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewPartner"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["Partner"];
        };
      };
    };
  };
  changePartner: {
    parameters: {
      path: {
        /** @description The id of the partner */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PartnerChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Partner"];
        };
      };
    };
  };
  listPartnerUsers: {
    parameters: {
      query?: {
        /** @description Only those of this partner */
        partner_id?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PartnerUserList"];
        };
      };
    };
  };
  createPartnerUser: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewPartnerUser"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["PartnerUser"];
        };
      };
    };
  };
  changePartnerUser: {
    parameters: {
      path: {
        /** @description The id of the payee */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PartnerUserChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PartnerUser"];
        };
      };
    };
  };
  listCommissionRates: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["CommissionRateList"];
        };
      };
    };
  };
  listPartnerCommissions: {
    parameters: {
      query?: {
        /** @description From 1; anything else is taken as 1 */
        page?: number;
        /** @description How many a page has: 1 to 100, 25 unless given; more is taken as 100, anything else as 25 */
        perPage?: number;
        /** @description Only those of this partner */
        partner_id?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PartnerCommissionPage"];
        };
      };
    };
  };
  recordPartnerCommission: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewPartnerCommission"];
        "multipart/form-data": components["schemas"]["NewPartnerCommissionForm"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["PartnerCommission"];
        };
      };
    };
  };
  getCommissionProof: {
    parameters: {
      path: {
        /** @description The payout's id */
        id: string;
      };
    };
    responses: {
      /** @description The file */
      200: {
        content: {
          "application/pdf": string;
          "image/jpeg": string;
          "image/png": string;
          "image/webp": string;
          "image/gif": string;
        };
      };
    };
  };
  listPosts: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["PostList"];
        };
      };
    };
  };
  createPost: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewPost"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["Post"];
        };
      };
    };
  };
  removePost: {
    parameters: {
      path: {
        /** @description The post's id */
        id: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Post"];
        };
      };
    };
  };
  changePost: {
    parameters: {
      path: {
        /** @description The post's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PostChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Post"];
        };
      };
    };
  };
  readAnalyticsDashboard: {
    parameters: {
      query?: {
        /** @description Days back, today included: 7 or 7d, 30 or 30d, 90 or 90d, 180 or 180d, 1y or 365 or 365d. Anything else is 30 */
        range?: string;
        /** @description Repeated: only these sections. Names that are none of them are dropped; with none left, all nine are given */
        section?: ("summary" | "trends" | "apps" | "alerts" | "activity" | "sensy" | "consumption" | "products" | "posts")[];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["AnalyticsDashboard"];
        };
      };
    };
  };
  countLowStock: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["LowStock"];
        };
      };
    };
  };
  readBranchFigures: {
    parameters: {
      query?: {
        /** @description Days back, today included: 7 or 7d, 30 or 30d, 90 or 90d, 180 or 180d, 1y or 365 or 365d. Anything else is 30 */
        range?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["BranchFigures"];
        };
      };
    };
  };
  readLastYear: {
    parameters: {
      query?: {
        /** @description Days back, today included: 7 or 7d, 30 or 30d, 90 or 90d, 180 or 180d, 1y or 365 or 365d. Anything else is 30 */
        range?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["LastYear"];
        };
      };
    };
  };
  readRevenueGoal: {
    parameters: {
      query?: {
        /** @description As 2026-11; the current month in the organization's time zone when absent */
        month?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["RevenueGoal"];
        };
      };
    };
  };
  changeRevenueGoal: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RevenueGoalChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["RevenueGoalAnswer"];
        };
      };
    };
  };
  readSensy: {
    parameters: {
      query?: {
        /** @description How many days of the past are shown beside what is to come, yesterday being the last: 7 or 7d, 30 or 30d, 90 or 90d, 180 or 180d, 1y or 365 or 365d. Anything else is 30. The forecast itself goes by up to a year whatever is asked for */
        range?: string;
        /** @description Days ahead, 14 by default, at most 90. A value that is not a positive number counts as 14 */
        horizon?: number;
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description In the product's names, iv_id and barcode and in the SKU's iv_id */
        search?: string;
        /** @description Only SKUs of this branch */
        branch_iv_id?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["Sensy"];
        };
      };
    };
  };
  readDemandTemplate: {
    parameters: {
    };
    responses: {
      /** @description The header */
      200: {
        content: {
          "text/csv": components["schemas"]["DemandCsv"];
        };
      };
    };
  };
  exportDemand: {
    parameters: {
    };
    responses: {
      /** @description The days, by SKU */
      200: {
        content: {
          "text/csv": components["schemas"]["DemandCsv"];
        };
      };
    };
  };
  readForecastSettings: {
    parameters: {
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ForecastSettings"];
        };
      };
    };
  };
  changeForecastSettings: {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ForecastSettingsChange"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ForecastSettingsAnswer"];
        };
      };
    };
  };
  readConsumption: {
    parameters: {
      query?: {
        /** @description How many days of the past are shown beside what is to come, yesterday being the last: 7 or 7d, 30 or 30d, 90 or 90d, 180 or 180d, 1y or 365 or 365d. Anything else is 30. The forecast itself goes by up to a year whatever is asked for */
        range?: string;
        /** @description Days ahead, 14 by default, at most 90. A value that is not a positive number counts as 14 */
        horizon?: number;
        /** @description The first page is 1 */
        page?: number;
        /** @description How many a page has */
        limit?: number;
        /** @description In the product's names, iv_id and barcode and in the SKU's iv_id */
        search?: string;
        /** @description Only SKUs of this branch */
        branch_iv_id?: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ConsumptionList"];
        };
      };
    };
  };
  arrangeProductImages: {
    parameters: {
      path: {
        /** @description The product's iv_id */
        ivId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProductImages"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ProductAnswer"];
        };
      };
    };
  };
  addProductImage: {
    parameters: {
      path: {
        /** @description The product's iv_id */
        ivId: string;
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["NewProductImage"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["ProductAnswer"];
        };
      };
    };
  };
  removeProductImage: {
    parameters: {
      path: {
        /** @description The product's iv_id */
        ivId: string;
        /** @description The image's id */
        imageId: string;
      };
    };
    responses: {
      /** @description Done; there is nothing to answer */
      204: {
        content?: never;
      };
    };
  };
  addServiceAsset: {
    parameters: {
      path: {
        /** @description The service's id */
        id: string;
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["ServiceAssetForm"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        content: {
          "application/json": components["schemas"]["ServiceAsset"];
        };
      };
    };
  };
  getServiceAsset: {
    parameters: {
      path: {
        /** @description The service's id */
        id: string;
        /** @description The asset's id */
        assetId: string;
      };
    };
    responses: {
      /** @description The file */
      200: {
        content: {
          "application/pdf": string;
          "image/jpeg": string;
          "image/png": string;
          "image/webp": string;
          "image/gif": string;
        };
      };
    };
  };
  removeServiceAsset: {
    parameters: {
      path: {
        /** @description The service's id */
        id: string;
        /** @description The asset's id */
        assetId: string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        content: {
          "application/json": components["schemas"]["ServiceAsset"];
        };
      };
    };
  };
  uploadDemand: {
    parameters: {
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["DemandUploadForm"];
        "text/csv": components["schemas"]["DemandCsvBody"];
      };
    };
    responses: {
      /** @description Taken on; it is done in the background */
      202: {
        content: {
          "application/json": components["schemas"]["QueuedAnswer"];
        };
      };
    };
  };
  receiveOrderEvent: {
    parameters: {
      header: {
        /** @description The event's id: the same on every retry and replay, so that a repeat is known by it. */
        "webhook-id": string;
        /** @description Unix seconds when this attempt was signed. Refuse one more than 300 seconds from your own clock. */
        "webhook-timestamp": string;
        /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, the key being the base64 after `whsec_` in the secret. Two of them with a space between for 24 hours after a rotation; one that fits is enough. */
        "webhook-signature": string;
        /** @description The type of the event. */
        "x-svc-event-type": string;
        /** @description Whose order it is about. */
        "x-svc-organization-id": string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrderEvent"];
      };
    };
    responses: {
      /** @description Taken. It has to come within 10 seconds of the first byte being sent. */
      "2XX": {
        content?: never;
      };
      /** @description Anything else, redirects included, is tried again after 10 s, 1 min, 5 min, 30 min, 2 h, 8 h and 24 h; `Retry-After` can lengthen a wait. Then the delivery is dead. 410 disables the subscription at once, three days without a success do so too. */
      default: {
        content?: never;
      };
    };
  };
  receiveTestEvent: {
    parameters: {
      header: {
        /** @description The event's id: the same on every retry and replay, so that a repeat is known by it. */
        "webhook-id": string;
        /** @description Unix seconds when this attempt was signed. Refuse one more than 300 seconds from your own clock. */
        "webhook-timestamp": string;
        /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, the key being the base64 after `whsec_` in the secret. Two of them with a space between for 24 hours after a rotation; one that fits is enough. */
        "webhook-signature": string;
        /** @description The type of the event. */
        "x-svc-event-type": string;
        /** @description Whose order it is about. */
        "x-svc-organization-id": string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestEvent"];
      };
    };
    responses: {
      /** @description Taken. It has to come within 10 seconds of the first byte being sent. */
      "2XX": {
        content?: never;
      };
      /** @description Anything else, redirects included, is tried again after 10 s, 1 min, 5 min, 30 min, 2 h, 8 h and 24 h; `Retry-After` can lengthen a wait. Then the delivery is dead. 410 disables the subscription at once, three days without a success do so too. */
      default: {
        content?: never;
      };
    };
  };
}
