// SPDX-License-Identifier: GPL-2.0-only
/*
 * posixtrace: the POSIX Tracing option as a kernel module
 *
 * Includes point downwards only:
 *
 *   main
 *   dev  userevent  streamfd  ioctl  netlink	what user space sees
 *   typelist				names that a stream shows
 *   stream  streamlist  streamattr	streams, and all of them
 *   hooks  sysprobe			process life, kernel events
 *   birth				what a child has of its parent
 *   target  flusher  log  reader	who is traced, where events go
 *   sink  names			streams as processes see them
 *   inlet  outlet			the ways in and out for events
 *   recorder  recstatus  evtype  gate	what is recorded, names
 *   buffer  life			bytes, what is to be announced
 *   tp  priv  quota  owner  event  provisions  compat	the kernel's side
 */
#include <linux/module.h>

#include "buffer.h"
#include "dev.h"
#include "gate.h"
#include "hooks.h"
#include "log.h"
#include "netlink.h"
#include "priv.h"
#include "provisions.h"
#include "stream.h"
#include "sysprobe.h"
#include "target.h"

static int __init posixtrace_init(void)
{
	int err;

	err = pxt_buffer_cache_init();
	if (err)
		return err;
	err = pxt_priv_init();
	if (err)
		goto err_buffer;
	err = pxt_gate_init();
	if (err)
		goto err_priv;
	err = pxt_sysprobe_init();
	if (err)
		goto err_gate;
	err = pxt_log_init_all();
	if (err)
		goto err_gate;
	err = pxt_stream_init();
	if (err)
		goto err_log;
	err = pxt_hooks_init();
	if (err)
		goto err_stream;
	err = pxt_netlink_init();
	if (err)
		goto err_hooks;
	err = pxt_dev_init();
	if (err)
		goto err_netlink;
	return 0;

err_netlink:
	pxt_netlink_exit();
err_hooks:
	pxt_hooks_exit();
err_stream:
	pxt_stream_exit();
err_log:
	pxt_log_exit_all();
err_gate:
	pxt_gate_exit();
err_priv:
	pxt_priv_exit();
err_buffer:
	pxt_buffer_cache_exit();
	return err;
}

/* Nobody has a descriptor or a mapping: they would hold the module. */
static void __exit posixtrace_exit(void)
{
	pxt_dev_exit();
	pxt_netlink_exit();
	pxt_sysprobe_exit();
	pxt_hooks_exit();
	pxt_target_exit_all();
	pxt_stream_exit();
	pxt_log_exit_all();
	pxt_provisions_exit();
	/* Targets and gates wait for a grace period, too. */
	rcu_barrier();
	pxt_gate_exit();
	pxt_priv_exit();
	pxt_buffer_cache_exit();
}

module_init(posixtrace_init);
module_exit(posixtrace_exit);

MODULE_AUTHOR("The posixtrace authors");
MODULE_DESCRIPTION("POSIX Tracing option (posix_trace_*)");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
